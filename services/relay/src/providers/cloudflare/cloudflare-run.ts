import type { Json } from "../../core/chat/chat.ts";
import { asObject, parseJson } from "../../core/chat/json.ts";
import { statusOfFailure, unreadableResponse } from "../shared/upstream-failure.ts";
import type { OpenAiLike } from "../registry/openai-compatible.ts";
import { openAiAddress } from "../openai/openai-address.ts";
import { cloudflareError } from "../openai-rules/answers.ts";
import { cloudflareRun } from "../openai-rules/paths.ts";
import type { Place, Target } from "../contract/provider.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

/** Where models run that have no place of OpenAI's form. */
export const runPlace =
  (like: OpenAiLike) =>
  (target: Target): Place => ({ ...openAiAddress(like, target), url: cloudflareRun(target, like.baseUrl) });

/** What a run gave. Throws StreamFailure where a 200 says that it failed, or holds something else. */
export function resultOf(answer: Buffer): Json {
  const body = asObject(parseJson(answer.toString("utf8")));
  if (body?.["success"] === false) {
    const failure = cloudflareError(502, body);
    throw new StreamFailure(failure, statusOfFailure(failure));
  }
  const result = asObject(body?.["result"]);
  if (!result) throw unreadableResponse();
  return result;
}
