import {
  isOptionKey,
  type OptionDefinition,
  type OptionKey,
  OPTIONS,
} from "@turnpike/contract/options/option-definitions";
import { optionProblemInEnglish } from "@turnpike/contract/options/option-problems";
import { normalizeOption } from "@turnpike/contract/options/option-formats";
import { checkOptionValue } from "@turnpike/contract/options/option-validation";
import { findPriceProblem } from "@turnpike/contract/options/price-changes";
import { isPriceKey, type PriceKey, PRICE_OPTIONS } from "@turnpike/contract/options/price-options";
import { SecretReference } from "./file-schema.ts";
import { resolveSecret } from "./secrets.ts";

/** The options that the section `groups` declares. */
export const GROUP_OPTIONS = {
  ratio: "GroupRatio",
  description: "UserUsableGroups",
  topup: "TopupGroupRatio",
} as const;
const GROUP_KEYS: ReadonlySet<string> = new Set(Object.values(GROUP_OPTIONS));

type Problem = { readonly problem: string };
type ReadOption = { readonly key: OptionKey; readonly declared: { readonly text: string; readonly isSecret: boolean } };
type ReadPrice = {
  readonly key: PriceKey;
  readonly declared: { readonly text: string } | { readonly entries: Readonly<Record<string, unknown>> };
};

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value as an option stores it. */
function toText(definition: OptionDefinition, value: unknown): string {
  if (typeof value === "object" && value !== null) return JSON.stringify(value);
  // A text of a JSON option is its JSON.
  return normalizeOption(definition, typeof value === "string" ? value : JSON.stringify(value ?? ""));
}

function readSecretOption(key: OptionKey, value: unknown, env: NodeJS.ProcessEnv): ReadOption | Problem {
  const reference = SecretReference.safeParse(value);
  if (!reference.success) return { problem: "is a secret: refer to it by { env }, { file } or { secret, key }" };
  const secret = resolveSecret(reference.data, env);
  return "problem" in secret ? secret : { key, declared: { text: secret.value, isSecret: true } };
}

/** Reads one entry of `options`. */
export function readOption(key: string, value: unknown, env: NodeJS.ProcessEnv): ReadOption | Problem {
  if (GROUP_KEYS.has(key)) return { problem: "is declared by the section groups" };
  if (isPriceKey(key)) return { problem: "is a price: declare it in the section prices" };
  if (!isOptionKey(key)) return { problem: "unknown option" };
  const definition: OptionDefinition = OPTIONS[key];
  if (definition.secret === true) return readSecretOption(key, value, env);
  const isObject = typeof value === "object" && value !== null;
  if (isObject && definition.type !== "json") return { problem: "must be a text, number or boolean" };
  const text = toText(definition, value);
  const detail = checkOptionValue(key, text);
  return detail === undefined
    ? { key, declared: { text, isSecret: false } }
    : { problem: optionProblemInEnglish(detail) };
}

/** Reads one entry of `prices`. */
export function readPrice(key: string, value: unknown): ReadPrice | Problem {
  if (GROUP_KEYS.has(key)) return { problem: "is declared by the section groups" };
  if (!isPriceKey(key)) return { problem: "unknown price option" };
  const definition: OptionDefinition = PRICE_OPTIONS[key];
  if (definition.type === "json" && !isTable(value)) return { problem: "must be a table" };
  if (definition.type !== "json" && typeof value === "object") return { problem: "must be a text, number or boolean" };
  const text = toText(definition, value);
  const problem = findPriceProblem(key, text);
  if (problem) return { problem: `${problem.path}: ${optionProblemInEnglish(problem.detail)}` };
  return { key, declared: isTable(value) ? { entries: value } : { text } };
}
