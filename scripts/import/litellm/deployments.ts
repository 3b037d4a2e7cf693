import { parse } from "yaml";
import { readFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { SetupError } from "../../process/setup-error.ts";
import type { LiteLlmSource } from "./litellm-source.ts";
import { hasGcmMark, openLiteLlmValue } from "./secretbox.ts";
import { readFlag, readJson } from "./postgres-values.ts";
import type { PublicModel } from "./model-access.ts";

type Params = Readonly<Record<string, unknown>>;

/** One entry of LiteLLM's model list. */
export type Deployment = {
  readonly id: string;
  /** The name that callers use. */
  readonly name: string;
  readonly params: Params;
  readonly info: Params;
  readonly isBlocked: boolean;
  /** Names of params that are still encrypted. */
  readonly sealed: readonly string[];
};

const CONFIG_SIZE_MAX = 16 * 1024 * 1024;
const asObject = (value: unknown): Params =>
  typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Params) : {};
const asText = (value: unknown): string => (typeof value === "string" ? value : "");

/** A text that looks like LiteLLM's ciphertext: base64 of at least a nonce and a tag, or its mark of AES-GCM. */
const looksSealed = (text: string): boolean =>
  hasGcmMark(text) ||
  (/^[A-Za-z0-9_+/-]{54,}={0,2}$/.test(text) && text.length % 4 === 0 && Buffer.from(text, "base64").length >= 40);

/**
 * Opens the texts of a stored object, each of which LiteLLM encrypts on its own. Where none opens, those that look encrypted are
 * reported as sealed; a readable `model` shows that the object was stored before LiteLLM encrypted them.
 */
function openTexts(values: Params, saltKey: string): { readonly opened: Params; readonly sealed: readonly string[] } {
  let isOpened = false;
  const opened = Object.entries(values).map(([name, value]): [string, unknown] => {
    const text =
      typeof value === "string" && value !== "" && saltKey !== "" ? openLiteLlmValue(value, saltKey) : undefined;
    isOpened ||= text !== undefined;
    return [name, text ?? value];
  });
  const model = values["model"];
  const isPlain = isOpened || (typeof model === "string" && !looksSealed(model));
  const sealed = isPlain ? [] : opened.flatMap(([name, value]) => (looksSealed(asText(value)) ? [name] : []));
  return { opened: Object.fromEntries(opened), sealed };
}

/** The models that LiteLLM keeps in its database. */
export function readStoredDeployments(source: LiteLlmSource, saltKey: string): Deployment[] {
  const credentials = new Map<string, { readonly opened: Params; readonly sealed: readonly string[] }>();
  for (const row of source.rows("credentials"))
    credentials.set(row["credential_name"] ?? "", openTexts(readJson(row["credential_values"]), saltKey));
  return [...source.rows("models")].map((row) => {
    const { opened, sealed } = openTexts(readJson(row["litellm_params"]), saltKey);
    const credential = credentials.get(asText(opened["litellm_credential_name"]));
    return {
      id: row["model_id"] ?? "",
      name: row["model_name"] ?? "",
      params: { ...credential?.opened, ...opened },
      info: readJson(row["model_info"]),
      isBlocked: readFlag(row["blocked"]),
      sealed: [...sealed, ...(credential?.sealed ?? [])],
    };
  });
}

/** A number of an entry of a file, which stays the same while its name, model and address do. */
function toConfigId(name: string, params: Params): string {
  const parts = [name, params["model"], params["api_base"], params["api_version"], params["aws_region_name"]];
  return `config:${createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 32)}`;
}

/** A config.yaml of LiteLLM. */
export type ConfigFile = { readonly deployments: readonly Deployment[]; readonly environment: Params };

/** Reads the `model_list` and `environment_variables` of a config.yaml. Throws SetupError with the place that is wrong. */
export function readConfigFile(path: string): ConfigFile {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw new SetupError(`${path} cannot be read: ${(error as Error).message}`);
  }
  if (text.length > CONFIG_SIZE_MAX) throw new SetupError(`${path} is larger than 16 MiB.`);
  let config: Params;
  try {
    config = asObject(parse(text, { maxAliasCount: 100 }));
  } catch (error) {
    throw new SetupError(`${path} is not YAML: ${(error as Error).message}`);
  }
  const list = config["model_list"] ?? [];
  if (!Array.isArray(list)) throw new SetupError(`${path}: model_list is not a list.`);
  const seen = new Set<string>();
  const deployments = list.map((entry: unknown, index): Deployment => {
    const { model_name: name, litellm_params: rawParams, model_info: rawInfo } = asObject(entry);
    const [params, info] = [asObject(rawParams), asObject(rawInfo)];
    if (typeof name !== "string" || typeof params["model"] !== "string")
      throw new SetupError(`${path}: model_list[${index}] needs a model_name and litellm_params.model.`);
    const base = asText(info["id"]) || toConfigId(name, params);
    // Equal entries spread the load over several keys.
    let id = base;
    for (let number = 2; seen.has(id); number++) id = `${base}:${number}`;
    seen.add(id);
    return { id, name, params, info, isBlocked: false, sealed: [] };
  });
  return { deployments, environment: asObject(config["environment_variables"]) };
}

/** The environment that LiteLLM keeps in its database. */
export function readStoredEnvironment(source: LiteLlmSource, saltKey: string): Params {
  const row = [...source.rows("config")].find(({ param_name: name }) => name === "environment_variables");
  return row ? openTexts(readJson(row["param_value"]), saltKey).opened : {};
}

/** The public names of models, with the access groups that have them. */
export function listPublicModels(deployments: readonly Deployment[]): PublicModel[] {
  const groups = new Map<string, Set<string>>();
  for (const { name, info } of deployments) {
    const known = groups.get(name) ?? new Set<string>();
    groups.set(name, known);
    const list = info["access_groups"];
    if (Array.isArray(list)) for (const group of list) if (typeof group === "string") known.add(group);
  }
  return [...groups].map(([name, known]) => ({ name, accessGroups: [...known] }));
}
