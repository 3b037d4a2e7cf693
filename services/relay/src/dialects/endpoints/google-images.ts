import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, parseJson } from "../../core/chat/json.ts";

const MARKS = ['"predictions"', '"candidates"'] as const;
/** The start of an OpenAI response identifies it, so the rest is not searched. */
const HEAD_BYTES = 256;

const drawnBy = (prediction: Json): unknown => prediction["bytesBase64Encoded"];

function imagesOf(answer: Json): Json[] {
  const predicted = asList(answer["predictions"]).map((one) => drawnBy(asObject(one) ?? {}));
  const parts = asList(answer["candidates"]).flatMap((one) =>
    asList(asObject(asObject(one)?.["content"])?.["parts"]).map((part) => asObject(part) ?? {}),
  );
  const drawn = parts.map((part) => asObject(part["inlineData"])?.["data"]);
  return [...predicted, ...drawn].flatMap((data) => (typeof data === "string" ? [{ b64_json: data }] : []));
}

/** Converts a Google image response to OpenAI's format; OpenAI's own is returned as the same bytes. */
export function asOpenAiImages(_body: Json, answer: Buffer): Buffer {
  const head = answer.toString("latin1", 0, HEAD_BYTES);
  if (!MARKS.some((mark) => head.includes(mark))) return answer;
  const value = asObject(parseJson(answer.toString("utf8"))) ?? {};
  if (value["data"] !== undefined) return answer;
  return Buffer.from(JSON.stringify({ created: Math.floor(Date.now() / 1000), data: imagesOf(value) }));
}
