import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import type { ChatResponse } from "../../../core/chat/chat.ts";
import { asNumber, asObject } from "../../../core/chat/json.ts";
import { unreadableResponse } from "../upstream-failure.ts";
import { toResponse, parseObject } from "./endpoint-provider.ts";

/**
 * Parses a rerank response: Jina reports its usage at the top level, Cohere and SiliconFlow in `meta`. Throws
 * StreamFailure for anything else.
 */
export function parseRerank(value: unknown): ChatResponse {
  const body = parseObject(value);
  if (!Array.isArray(body["results"])) throw unreadableResponse();
  const usage = asObject(body["usage"]);
  const meta = asObject(body["meta"]);
  const candidates = [
    usage?.["prompt_tokens"],
    usage?.["total_tokens"],
    asObject(meta?.["tokens"])?.["input_tokens"],
    asObject(meta?.["billed_units"])?.["input_tokens"],
  ];
  const promptTokens = candidates.map(asNumber).find((tokens) => tokens !== undefined && tokens > 0);
  return toResponse(promptTokens === undefined ? undefined : { ...NO_USAGE, promptTokens }, "", body);
}
