import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Scenario } from "../fake-upstream/scenario.ts";

export type Dialect =
  | "chat"
  | "messages"
  | "gemini"
  | "responses"
  | "completions"
  | "embeddings"
  | "moderations"
  | "images"
  | "edits"
  | "speech"
  | "transcriptions"
  | "translations"
  | "rerank";

/**
 * A call, the usage that upstream reports, and the expected cost: calculated by hand from the price lists, never by the
 * code.
 */
export type PriceRow = {
  readonly of: string;
  readonly dialect: Dialect;
  readonly model: string;
  readonly stream?: boolean;
  readonly group?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly scenario?: Scenario;
  /** Part of the expected upstream request. */
  readonly requested?: Readonly<Record<string, unknown>>;
  /** (tokens × ratios) × model ratio × group ratio, rounded once. */
  readonly quota: number;
};

type Parts = Exclude<Scenario["usage"], string | undefined>;

/** Usage reported by upstream: prompt and completion tokens, and these parts of them. */
export const reported = (inputTokens: number, outputTokens: number, parts: Parts = {}): Scenario => ({
  text: "Fine.",
  usage: { inputTokens, outputTokens, reasoningTokens: 0, ...parts },
});

type Extra = Pick<PriceRow, "group" | "body" | "requested">;

/** `how` is the dialect, followed by "streamed" for streams. */
export function row(
  of: string,
  how: string,
  model: string,
  ...rest: [quota: number, scenario?: Scenario, extra?: Extra]
): PriceRow {
  const [dialect, streamed] = how.split(" ") as [Dialect, string?];
  const [quota, scenario = {}, extra = {}] = rest;
  return { of, dialect, model, quota, scenario, stream: streamed !== undefined, ...extra };
}

export const SILENT: Scenario = {};

const PROVIDERS = resolve(import.meta.dirname, "../../../services/relay/src/providers");

/** A recorded response of a provider. */
export function recorded(file: string): Scenario {
  const type = file.endsWith(".json") ? "application/json" : "text/event-stream";
  return { raw: { headers: { "content-type": type }, body: readFileSync(`${PROVIDERS}/${file}`, "utf8") } };
}

/** Models and parts of usage that several tables use. */
export const CLAUDE = "claude-3-5-sonnet-20241022";
export const BEDROCK = "claude-3-5-haiku-20241022";
export const CACHED = { cachedTokens: 600 };
