import type { Json } from "../../core/chat/chat.ts";
import { parseDataUrl } from "../../core/chat/data-url.ts";
import { asObject, asText } from "../../core/chat/json.ts";
import { imageSize } from "./image-size.ts";
import { imageTokens } from "./image-tokens.ts";

type IsData = (value: unknown, holder: Json) => boolean;

/** Only inside parts of these types: a tool's arguments and schema may have fields of the same names. */
const inPart =
  (...types: string[]): IsData =>
  (_value, holder) =>
    types.includes(asText(holder["type"]) ?? "");
const hasText =
  (...names: string[]): IsData =>
  (value) =>
    names.some((name) => asText(asObject(value)?.[name]) !== undefined);
const inDocument = inPart("image", "document");
const inAudio = inPart("input_audio", "output_audio");

/** Documents may also be plain text or consist of parts. */
const isSource: IsData = (value, holder) =>
  inDocument(value, holder) && !inPart("text", "content")(undefined, asObject(value) ?? {});

/** By URL or in base64, in the part itself or in a nested object. */
function isImage(value: unknown, holder: Json): boolean {
  const url = asText(value);
  if (url === undefined) return hasText("url")(value, holder);
  return url.startsWith("data:") || typeof holder["type"] === "string";
}

/** Fields whose text is data and not part of the prompt. */
const DATA_FIELDS: ReadonlyMap<string, IsData> = new Map([
  ["image_url", isImage],
  ["source", isSource],
  ["inline_data", hasText("data")],
  ["inlineData", hasText("data")],
  ["input_audio", hasText("data")],
  ["audio", (value, holder) => typeof value === "string" && inAudio(value, holder)],
  ["file", inPart("file")],
  [
    "file_data",
    (value, holder) => inPart("input_file")(value, holder) || hasText("file_uri", "fileUri")(value, holder),
  ],
  ["fileData", hasText("file_uri", "fileUri")],
  ["result", inPart("image_generation_call")],
]);

/** The token count of data whose cost does not depend on the model. */
const DATA_TOKENS = 255;
const FILE_TOKENS = 5000;
const OPENAI_SECOND = 10;
const GEMINI_SECOND = 32;
/** Raw samples: 24,000 per second of two bytes each. */
const PCM_SECOND_BYTES = 48_000;
/** Compressed audio, at 128 kbit/s. */
const PACKED_SECOND_BYTES = 16_000;
const WAV_HEAD = 64;

/** Whether a field of `holder` is data. */
export const isDataField = (name: string, value: unknown, holder: Json): boolean =>
  DATA_FIELDS.get(name)?.(value, holder) === true;

/** Bytes per second, from the recording's own header if it has one. */
function secondBytes(base64: string, format: string): number {
  if (format.includes("pcm") || format.includes("l16")) return PCM_SECOND_BYTES;
  const head = Buffer.from(base64.slice(0, WAV_HEAD), "base64");
  const reported = head.length >= 32 && head.toString("latin1", 0, 4) === "RIFF" ? head.readUInt32LE(28) : 0;
  return reported > 0 ? reported : PACKED_SECOND_BYTES;
}

function audioTokens(base64: string, format: string, model: string): number {
  const seconds = (base64.length * 3) / 4 / secondBytes(base64, format.toLowerCase());
  return Math.max(1, Math.ceil(seconds * (/gemini/i.test(model) ? GEMINI_SECOND : OPENAI_SECOND)));
}

function ofType(mediaType: string, base64: string | undefined, model: string): number {
  if (mediaType.startsWith("image/")) {
    return imageTokens(model, base64 === undefined ? undefined : imageSize(base64), undefined);
  }
  return mediaType.startsWith("audio/") && base64 !== undefined ? audioTokens(base64, mediaType, model) : FILE_TOKENS;
}

function ofImageUrl(value: unknown, holder: Json, model: string): number {
  const object = asObject(value);
  const url = asText(value) ?? asText(object?.["url"]) ?? "";
  const inline = parseDataUrl(url);
  return imageTokens(model, inline && imageSize(inline.data), asText(object?.["detail"] ?? holder["detail"]));
}

/**
 * The approximate tokens of an image, a recording or a file for a model, by its field and the part that contains it.
 * Nothing is fetched: images given by URL count as ordinary ones.
 */
export function mediaTokens(field: string, value: unknown, holder: Json, model: string | undefined): number {
  if (model === undefined) return DATA_TOKENS;
  if (field === "image_url") return ofImageUrl(value, holder, model);
  const object = asObject(value) ?? {};
  if (field === "input_audio") return audioTokens(asText(object["data"]) ?? "", asText(object["format"]) ?? "", model);
  const mediaType = asText(object["media_type"] ?? object["mime_type"] ?? object["mimeType"]);
  if (field === "source") {
    return holder["type"] === "image" ? ofType(mediaType ?? "image/", asText(object["data"]), model) : FILE_TOKENS;
  }
  return mediaType === undefined ? FILE_TOKENS : ofType(mediaType, asText(object["data"]), model);
}
