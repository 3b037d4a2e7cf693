import type { Json, ReportedUsage } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import type { UpstreamFailure } from "../../core/errors/relay-error.ts";
import { failureOf, readFailure, statusFailure } from "../shared/upstream-failure.ts";
import { readOpenAiUsage } from "../openai/openai-usage.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

const MINIMAX_STATUS: Readonly<Record<number, number>> = {
  1000: 500,
  1001: 504,
  1002: 429,
  1004: 401,
  1008: 402,
  1013: 500,
  1024: 500,
  1026: 400,
  1027: 400,
  1033: 500,
  1039: 429,
  1041: 429,
  1042: 400,
  2013: 400,
  2042: 400,
  2045: 429,
  2049: 401,
  2054: 400,
  2056: 429,
  20132: 400,
};

/** MiniMax reports failures in `base_resp`, with status 200. */
export function minimaxFailure(body: Json): StreamFailure | undefined {
  const told = asObject(body["base_resp"]);
  const code = asNumber(told?.["status_code"]) ?? 0;
  if (code === 0) return undefined;
  const message = asText(told?.["status_msg"]) || "upstream returned an error";
  return new StreamFailure(failureOf(message, { code: String(code) }), MINIMAX_STATUS[code] ?? 502);
}

/** Cloudflare's `{success: false, errors: [{code, message}]}`. */
export function cloudflareError(status: number, body: unknown): UpstreamFailure {
  const first = asObject(asList(asObject(body)?.["errors"])[0]);
  const message = asText(first?.["message"]);
  if (!message) return readFailure(body) ?? statusFailure(status);
  return failureOf(message, { code: asNumber(first?.["code"])?.toString() });
}

const names = (list: unknown, field: string): string[] =>
  asList(list).flatMap((model) => asText(asObject(model)?.[field]) ?? []);

/** Cloudflare's model list. */
export const cloudflareNames = (body: unknown): string[] => names(asObject(body)?.["result"], "name");

/** GitHub's catalogue: a plain list. */
export const githubNames = (body: unknown): string[] => names(body, "id");

/** xAI excludes reasoning from the completion tokens, although it is billed: it is derived from the total. */
export function readXaiUsage(value: unknown): ReportedUsage {
  const usage = readOpenAiUsage(value);
  const total = asNumber(asObject(value)?.["total_tokens"]);
  if (!usage || total === undefined) return usage;
  return { ...usage, completionTokens: Math.max(usage.completionTokens, total - usage.promptTokens) };
}

/** For upstreams whose reported usage is meaningless. */
export const noUsage = (): ReportedUsage => undefined;
