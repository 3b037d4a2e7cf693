import type { ReportedUsage } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import { readOpenAiUsage } from "../formats/openai/response/openai-usage.ts";

const names = (list: unknown, field: string): string[] =>
  asList(list).flatMap((model) => asText(asObject(model)?.[field]) ?? []);

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
