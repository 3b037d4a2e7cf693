import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import { applyInput, NEW_CHANNEL } from "../../../services/channel/src/channels/channel-fields.ts";
import { splitKeys } from "../../../services/channel/src/channels/channel-keys.ts";
import type { ReadChannel } from "../source/install-reader.ts";
import type { Deployment } from "./deployments.ts";
import * as providers from "./providers.ts";

type Params = Deployment["params"];
/** Finds a variable of the environment; "" for none. */
export type FindVariable = (name: string) => string;

/** What one or more deployments of an account have in common, and what is unknown about it. */
type Account = {
  readonly provider: string;
  readonly upstreamModel: string;
  readonly type: number;
  readonly baseUrl: string;
  readonly key: string;
  readonly other: string;
  readonly organization: string;
  readonly weight: number;
  readonly priority: number;
  /** Why the channel is off; "" for a channel that is on. */
  readonly whyOff: string;
};

const VARIABLE = "os.environ/";

const getText = (params: Params, ...names: readonly string[]): string => {
  const value = names.map((name) => params[name]).find((found) => typeof found === "string" && found !== "");
  return typeof value === "string" ? value.trim() : "";
};

/** A text of a deployment, from the environment where it names a variable. */
function createResolver(params: Params, findVariable: FindVariable) {
  const missing: string[] = [];
  return {
    missing,
    get(...names: readonly string[]): string {
      const text = getText(params, ...names);
      if (!text.startsWith(VARIABLE)) return text;
      const variable = text.slice(VARIABLE.length);
      const value = findVariable(variable);
      if (value === "") missing.push(variable);
      return value;
    },
  };
}
type Resolver = ReturnType<typeof createResolver>;

function getBedrockKey(resolver: Resolver): string {
  const region = resolver.get("aws_region_name");
  const [access, secret] = [resolver.get("aws_access_key_id"), resolver.get("aws_secret_access_key")];
  const bearer = resolver.get("api_key");
  if (region === "") return "";
  if (access !== "" && secret !== "") return `${access}|${secret}|${region}`;
  return bearer === "" ? "" : `${bearer}|${region}`;
}

function getVertexKey(params: Params, resolver: Resolver): string {
  const credentials = params["vertex_credentials"];
  return typeof credentials === "object" && credentials !== null
    ? JSON.stringify(credentials)
    : resolver.get("vertex_credentials");
}

function getKey(
  params: Params,
  target: providers.ProviderTarget,
  about: { resolver: Resolver; findVariable: FindVariable },
): string {
  const { resolver, findVariable } = about;
  if (target.type === providers.BEDROCK_TYPE) return getBedrockKey(resolver);
  if (target.type === providers.VERTEX_TYPE) return getVertexKey(params, resolver);
  const key = resolver.get("api_key");
  if (key !== "" || getText(params, "api_key") !== "") return key;
  return target.keyVariable === undefined ? "" : findVariable(target.keyVariable);
}

/** The address, and the type where an address without a version needs another one. */
function getAddress(
  target: providers.ProviderTarget,
  apiBase: string,
): { readonly type: number; readonly baseUrl: string } {
  const base = apiBase || (target.baseUrl ?? "");
  return providers.isOpenAiLike(target)
    ? providers.toOpenAiAddress(base)
    : { type: target.type, baseUrl: base.replace(/\/+$/, "") };
}

/** Servers of one's own may have no key; a channel needs one. */
const NO_KEY = "none";
const mayLackKey = ({ type, keyVariable = "" }: providers.ProviderTarget, apiBase: string): boolean =>
  [4, 47].includes(type) || (apiBase !== "" && /^(?:HOSTED_VLLM|LM_STUDIO|LLAMAFILE|OPENAI_LIKE)_/.test(keyVariable));

const toWeight = (value: unknown): number => (Number.isSafeInteger(value) && Number(value) > 0 ? Number(value) : 0);

function findReason(deployment: Deployment, { key, missing }: { key: string; missing: readonly string[] }): string {
  const { sealed, isBlocked, info } = deployment;
  if (sealed.length > 0) return "its key is encrypted; set LITELLM_SALT_KEY";
  if (missing.length > 0) return `the variable ${missing.join(", ")} is not set`;
  if (key === "") return "it has no key";
  if (typeof info["team_id"] === "string") return "it is for one team only";
  return isBlocked ? "it is blocked" : "";
}

/** The account of a deployment; undefined where its provider is not known here. */
function readAccount(deployment: Deployment, findVariable: FindVariable): Account | undefined {
  const { params, sealed, name } = deployment;
  const resolver = createResolver(params, findVariable);
  // Without the salt key even the model is unreadable: the public name usually contains it.
  const isSealed = (param: string): boolean => sealed.includes(param);
  const model = isSealed("model") ? name : resolver.get("model");
  const apiBase = isSealed("api_base") ? "" : resolver.get("api_base", "base_url");
  const custom = isSealed("custom_llm_provider") ? "" : resolver.get("custom_llm_provider");
  const found = providers.findProvider(model, custom, apiBase);
  const target = found.target ?? (isSealed("model") ? providers.findProvider("gpt-", "", "").target : undefined);
  if (!target) return undefined;
  const key = sealed.length > 0 ? "" : getKey(params, target, { resolver, findVariable });
  const whyOff = findReason(deployment, {
    key: key || (mayLackKey(target, apiBase) ? NO_KEY : ""),
    missing: resolver.missing,
  });
  return {
    provider: found.provider,
    upstreamModel: found.model,
    ...getAddress(target, apiBase),
    key: key || (whyOff === "" ? NO_KEY : ""),
    other: isSealed("api_version")
      ? ""
      : resolver.get(target.type === providers.VERTEX_TYPE ? "vertex_location" : "api_version"),
    organization: resolver.get("organization"),
    weight: toWeight(params["weight"]),
    // Lower orders come first in LiteLLM.
    priority: -toWeight(params["order"]),
    whyOff,
  };
}

type Group = {
  readonly account: Account;
  readonly id: string;
  readonly label: string;
  readonly models: Map<string, string>;
};

/** Deployments that differ in their models only are one channel; a name that leads to two models of an account is two. */
function groupDeployments(deployments: readonly Deployment[], findVariable: FindVariable) {
  const groups = new Map<string, Group[]>();
  const unknown: string[] = [];
  for (const deployment of deployments) {
    const { id, name } = deployment;
    const account = readAccount(deployment, findVariable);
    if (!account)
      unknown.push(
        `model ${name} is left out: there is no channel type for ${getText(deployment.params, "model") || "it"}`,
      );
    else if (name.includes("*")) unknown.push(`model ${name} is left out: a channel lists its models by name`);
    else {
      const { upstreamModel, ...common } = account;
      const key = JSON.stringify(common);
      const known = groups.get(key) ?? [];
      groups.set(key, known);
      let group = known.find(({ models }) => !models.has(name));
      if (!group) {
        group = { account, id, label: `${account.provider} (${name})`, models: new Map() };
        known.push(group);
      }
      group.models.set(name, upstreamModel);
    }
  }
  return { groups: [...groups.values()].flat(), unknown };
}

function readFields({ account, label, models }: Group) {
  const mapping = Object.fromEntries([...models].filter(([name, upstream]) => name !== upstream));
  const fields = applyInput(NEW_CHANNEL, {
    name: label,
    type: account.type,
    baseUrl: account.baseUrl,
    openaiOrganization: account.organization,
    other: account.other,
    models: [...models.keys()].join(","),
    group: "default",
    modelMapping: Object.keys(mapping).length === 0 ? "" : JSON.stringify(mapping),
    priority: account.priority,
    weight: account.weight,
    autoBan: 1,
  });
  return { fields, keys: splitKeys(account.type, account.key) };
}

/** Parameters of a deployment that a channel has, or that choose its prices. */
const CARRIED: ReadonlySet<string> = new Set([
  "model",
  "api_key",
  "api_base",
  "base_url",
  "api_version",
  "custom_llm_provider",
  "organization",
  "weight",
  "order",
  "aws_access_key_id",
  "aws_secret_access_key",
  "aws_region_name",
  "vertex_credentials",
  "vertex_location",
  "vertex_project",
  "litellm_credential_name",
]);

/** Lines about parameters that a channel does not have, with the number of models that set them. */
function listLostParams(deployments: readonly Deployment[]): string[] {
  const counts = new Map<string, number>();
  for (const { params } of deployments)
    for (const [name, value] of Object.entries(params)) {
      if (CARRIED.has(name) || /cost/.test(name) || value === null || value === false || value === "") continue;
      counts.set(name, (counts.get(name) ?? 0) + 1);
    }
  return [...counts].map(([name, count]) => `not carried over: the parameter ${name} of ${count} models`);
}

/** The channels of a model list, and lines about what is off or left out. */
export function readModelList(deployments: readonly Deployment[], findVariable: FindVariable, nowSeconds: number) {
  const { groups, unknown } = groupDeployments(deployments, findVariable);
  const channels = groups.map((group): ReadChannel => {
    const { account, id, label } = group;
    return {
      sourceId: id,
      label,
      used: 0,
      read: () => readFields(group),
      state: {
        status: account.whyOff === "" ? CHANNEL_STATUS.enabled : CHANNEL_STATUS.disabled,
        statusReason: "",
        statusAtSeconds: 0,
        responseTimeMs: 0,
        testedAtSeconds: 0,
        createdAtSeconds: nowSeconds,
      },
    };
  });
  const off = groups.flatMap(({ account, label, models }) =>
    account.whyOff === "" ? [] : [`channel ${label} of ${models.size} models is switched off: ${account.whyOff}`],
  );
  return { channels, notes: [...unknown, ...off], statements: listLostParams(deployments) };
}
