import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, parseJson } from "../../core/chat/json.ts";

const MARKS = ['"predictions"', '"candidates"'] as const;
/** The start of an OpenAI response identifies it, so the rest is not searched. */
const HEAD_BYTES = 256;

const drawnBy = (prediction: Json): unknown => prediction["bytesBase64Encoded"];

function getImages(response: Json): Json[] {
  const predicted = asList(response["predictions"]).map((one) => drawnBy(asObject(one) ?? {}));
  const parts = asList(response["candidates"]).flatMap((one) =>
    asList(asObject(asObject(one)?.["content"])?.["parts"]).map((part) => asObject(part) ?? {}),
  );
  const generated = parts.map((part) => asObject(part["inlineData"])?.["data"]);
  return [...predicted, ...generated].flatMap((data) => (typeof data === "string" ? [{ b64_json: data }] : []));
}

/** Converts a Google image response to OpenAI's format; OpenAI's own is returned as the same bytes. */
export function asOpenAiImages(_body: Json, response: Buffer): Buffer {
  const head = response.toString("latin1", 0, HEAD_BYTES);
  if (!MARKS.some((mark) => head.includes(mark))) return response;
  const value = asObject(parseJson(response.toString("utf8"))) ?? {};
  if (value["data"] !== undefined) return response;
  return Buffer.from(JSON.stringify({ created: Math.floor(Date.now() / 1000), data: getImages(value) }));
}
