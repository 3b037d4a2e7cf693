import { asObject, parseJson } from "../../core/chat/json.ts";
import type { ProcessedResponse, ProviderResponse } from "../contract/provider.ts";
import type { EndpointDifferences } from "../formats/openai/openai-compatible.ts";
import { drop } from "../shared/body-rules.ts";
import { jsonResponse } from "../shared/json-content.ts";
import { errorInside, unreadableResponse } from "../shared/upstream-failure.ts";

/** xAI reports no creation time. */
export function finishXaiImages({ body }: ProviderResponse): ProcessedResponse {
  const response = asObject(parseJson(body.toString("utf8")));
  if (response?.["error"]) throw errorInside(response);
  if (!response || !Array.isArray(response["data"])) throw unreadableResponse();
  return jsonResponse({ created: Math.floor(Date.now() / 1000), ...response });
}

/** xAI generates images in one size and quality, and refuses these fields. */
export const xaiImages: EndpointDifferences = { adaptBody: drop("size", "quality", "style"), finish: finishXaiImages };
