import type { Json } from "../../core/chat/chat.ts";
import { getEmbeddingRequests, getEmbeddingText } from "../../core/vendors/gemini-embedding-requests.ts";
import { asObject, parseJson } from "../../core/chat/json.ts";
import type { PathValues } from "../../core/call/dialect.ts";
import { invalidField, requireList, requireObject } from "../shared/fields.ts";
import { writeGeminiError } from "../gemini-generate/gemini-error.ts";
import { passThroughDialect, type PassThroughRules } from "./endpoint-dialect.ts";
import { getModel, promptOnlyFields } from "./endpoint-fields.ts";

function checkContent(call: Json, path: string): void {
  const content = requireObject(call["content"], `${path}content`);
  if (requireList(content["parts"], `${path}content.parts`).length === 0) {
    throw invalidField(`${path}content.parts`, "must not be empty");
  }
}

function readFields(body: Json, path: PathValues | undefined) {
  if (body["requests"] === undefined) checkContent(body, "");
  else {
    const requests = requireList(body["requests"], "requests");
    if (requests.length === 0) throw invalidField("requests", "must not be empty");
    requests.forEach((request, index) =>
      checkContent(requireObject(request, `requests[${index}]`), `requests[${index}].`),
    );
  }
  return promptOnlyFields(getModel(body, path));
}

/** Converts a response of OpenAI's format to Google's; Google's own is passed through. */
function rewriteResponse(body: Json, response: Buffer): Buffer {
  const data = asObject(parseJson(response.toString("utf8")))?.["data"];
  if (!Array.isArray(data)) return response;
  const embeddings = data.map((item: unknown) => ({ values: asObject(item)?.["embedding"] }));
  return Buffer.from(JSON.stringify(body["requests"] === undefined ? { embedding: embeddings[0] } : { embeddings }));
}

const rules: PassThroughRules = {
  readFields,
  prompt: (body) => ({
    text: getEmbeddingRequests(body)
      .map((call) => getEmbeddingText(call) ?? "")
      .join("\n"),
    extraTokens: 0,
  }),
  promptOnly: true,
  rewriteResponse,
};

/** Google's embedContent. */
export const geminiEmbed = passThroughDialect("gemini-embed", rules, {
  writeError: writeGeminiError,
  namesModelInPath: true,
});

/** Google's batchEmbedContents, which its clients use for single texts too. */
export const geminiBatchEmbed = passThroughDialect("gemini-batch-embed", rules, {
  writeError: writeGeminiError,
  namesModelInPath: true,
});
