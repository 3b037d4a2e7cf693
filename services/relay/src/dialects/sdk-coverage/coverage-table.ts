import type { Json } from "../../core/chat/chat.ts";
import type { SdkUnion } from "./sdk-members.ts";

/** The chat dialects: of callers, and of the providers that they are converted for. */
export const CHAT_DIALECTS = ["openai-chat", "openai-responses", "anthropic-messages", "gemini"] as const;
export type ChatDialect = (typeof CHAT_DIALECTS)[number];

/**
 * What becomes of a member on its way to another dialect:
 *
 * - `native`: it goes through as it is.
 * - `converted`: it changes what is written. `detail` names the result.
 * - `left out`: what is written is the same without it. `detail` has the reason.
 * - `refused`: the call fails. `detail` names the error or the reason.
 *
 * The test derives the kind from what the conversion writes, so a row cannot claim another one.
 */
export type Treatment = {
  readonly kind: "native" | "converted" | "left out" | "refused";
  readonly detail: string;
};

export const native: Treatment = { kind: "native", detail: "" };
export const converted = (detail: string): Treatment => ({ kind: "converted", detail });
export const leftOut = (detail: string): Treatment => ({ kind: "left out", detail });
export const refused = (detail: string): Treatment => ({ kind: "refused", detail });

/** One member: an example as the SDK declares it, and its treatment in each other dialect. */
export type CoverageRow = {
  readonly example: unknown;
  /** Replaces the table's body without the member, where this member needs another one to be compared with. */
  readonly without?: Json | readonly Json[];
} & { readonly [Key in ChatDialect]?: Treatment };

/**
 * How an example is tried.
 *
 * - `request`: `place` returns a caller's body; it is converted for a provider of each other dialect.
 * - `response`: `place` returns a provider's body; it is converted for a caller of each other dialect.
 * - `stream`: `place` returns the events of a provider.
 * - `error`: `place` returns a provider's refusal with its status.
 */
export type Trial =
  | { readonly kind: "request" | "response"; readonly without: Json; readonly place: (example: never) => Json }
  | {
      readonly kind: "stream";
      readonly without: readonly Json[];
      readonly place: (example: never) => readonly Json[];
    }
  | {
      readonly kind: "error";
      readonly without: Json;
      readonly place: (example: never) => { readonly status: number; readonly body: Json };
    };

/** The members of one union of a dialect, and what becomes of each in the other dialects. */
export type CoverageTable = {
  /** Unique; the heading of the page, and the name of its file of fixtures. */
  readonly title: string;
  readonly dialect: ChatDialect;
  readonly union: SdkUnion;
  readonly trial: Trial;
  /** Upstream models with the feature of the union, such as reasoning, where the default ones lack it. */
  readonly models?: { readonly [Key in ChatDialect]?: string };
  readonly rows: Readonly<Record<string, CoverageRow>>;
};

/** The dialects that a table has a column for: all but its own, which passes through. */
export const getColumns = ({ dialect }: Pick<CoverageTable, "dialect">): readonly ChatDialect[] =>
  CHAT_DIALECTS.filter((column) => column !== dialect);

/** Same treatment in all other dialects. */
export function everywhere(treatment: Treatment): { readonly [Key in ChatDialect]: Treatment } {
  return {
    "openai-chat": treatment,
    "openai-responses": treatment,
    "anthropic-messages": treatment,
    gemini: treatment,
  };
}

/** Members with examples of their own and the same treatment. */
export const toRows = (
  examples: Readonly<Record<string, unknown>>,
  treatments: Omit<CoverageRow, "example">,
): Record<string, CoverageRow> =>
  Object.fromEntries(Object.entries(examples).map(([member, example]) => [member, { example, ...treatments }]));

/** Values, each its own example, with the same treatment. */
export const toValueRows = (
  values: readonly string[],
  treatments: Omit<CoverageRow, "example">,
): Record<string, CoverageRow> => toRows(Object.fromEntries(values.map((value) => [value, value])), treatments);
