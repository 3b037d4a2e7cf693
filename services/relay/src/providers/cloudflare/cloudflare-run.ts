import type { Json } from "../../core/chat/chat.ts";
import { asObject, parseJson } from "../../core/chat/json.ts";
import { getFailureStatus, unreadableResponse } from "../shared/upstream-failure.ts";
import type { OpenAiCompatible } from "../formats/openai/openai-compatible.ts";
import { openAiAddress } from "../formats/openai/openai-address.ts";
import { cloudflareError, cloudflareRun } from "./cloudflare-api.ts";
import type { Endpoint } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

/** The URL for models without an OpenAI-compatible endpoint. */
export const getRunEndpoint =
  (like: OpenAiCompatible) =>
  (target: Target): Endpoint => ({ ...openAiAddress(like, target), url: cloudflareRun(target, like.baseUrl) });

/** The result of a run. Throws StreamFailure if a 200 response reports a failure or contains anything else. */
export function parseResult(response: Buffer): Json {
  const body = asObject(parseJson(response.toString("utf8")));
  if (body?.["success"] === false) {
    const failure = cloudflareError(502, body);
    throw new StreamFailure(failure, getFailureStatus(failure));
  }
  const result = asObject(body?.["result"]);
  if (!result) throw unreadableResponse();
  return result;
}
