/**
 * The kind of an option. All values are text on the wire: "boolean" is true or false, "integer" and "number" are
 * decimal text (with bounds), "json" is a JSON document of the shape named by `shape`.
 */
export type OptionDefinition = {
  readonly type: "boolean" | "integer" | "number" | "text" | "json";
  readonly default: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
  /** "ratios": name → number ≥ 0; "texts": name → text; "object", "array": any JSON of that kind. */
  readonly shape?: "ratios" | "texts" | "object" | "array";
  /** The format of a text, or of each entry of an object or array; see option-formats.ts. */
  readonly format?: OptionFormat;
  /** The entries of an object lead from names to names, which must not form a cycle. */
  readonly acyclic?: true;
  /** The maximum length, in characters. */
  readonly maxLength?: number;
  /** Write-only; stored encrypted. */
  readonly secret?: true;
  /** Options that must be set before this boolean may become true; "a|b" is satisfied by either. */
  readonly needs?: readonly string[];
};

/**
 * Texts: "url" and "base-url" (http or https; trailing slashes of a base address are dropped), "site-url" (a base address without a path), "trace-url" (the same, with {trace_id} in it), "image" (address, path
 * or data), "host", "domains" (comma-separated), "zone" (IANA time zone), "words" (lines, `regex:` before expressions),
 * "mailbox", "stylesheet". Entries: "name" (text), "chat" ({name: address}), "limit" ([all, successful]), "headers"
 * ({name: text or texts}), "ratios" ({name: number from 0}), "price-rule" (pricing/rules/price-rule.ts), "catalogue-rule"
 * (the same, or null for a model without a price), "count" (integer above 0), "models" (list of model names), "fallback-cause"
 * (model-routes.ts), "oidc-token-issuer" (oidc-token-issuers.ts).
 */
export type OptionFormat =
  | "url"
  | "trace-url"
  | "base-url"
  | "site-url"
  | "image"
  | "host"
  | "domains"
  | "zone"
  | "words"
  | "mailbox"
  | "stylesheet"
  | "name"
  | "chat"
  | "limit"
  | "headers"
  | "ratios"
  | "price-rule"
  | "catalogue-rule"
  | "count"
  | "models"
  | "fallback-cause"
  | "oidc-token-issuer";

/** An upper bound for amounts of quota: two million dollars at the default rate. */
const QUOTA_MAX = 1_000_000_000_000;

export const boolean = (value: boolean, ...needs: string[]): OptionDefinition => ({
  type: "boolean",
  default: String(value),
  ...(needs.length === 0 ? {} : { needs }),
});
export const formatted = (format: OptionFormat, value = ""): OptionDefinition => ({
  type: "text",
  default: value,
  format,
});
export const text = (value = ""): OptionDefinition => ({ type: "text", default: value });
export const secret = (): OptionDefinition => ({ type: "text", default: "", secret: true });
export const choice = (value: string, ...choices: string[]): OptionDefinition => ({
  type: "text",
  default: value,
  choices,
});
export const integer = (value: number, min = 0, max = Number.MAX_SAFE_INTEGER): OptionDefinition => ({
  type: "integer",
  default: String(value),
  min,
  max,
});
export const number = (value: number | "", min = 0, max = Number.MAX_SAFE_INTEGER): OptionDefinition => ({
  type: "number",
  default: String(value),
  min,
  max,
});
export const quota = (value: number): OptionDefinition => integer(value, 0, QUOTA_MAX);
export const json = (
  shape: NonNullable<OptionDefinition["shape"]>,
  value: unknown,
  format?: OptionFormat,
): OptionDefinition => ({
  type: "json",
  shape,
  default: JSON.stringify(value),
  ...(format === undefined ? {} : { format }),
});
