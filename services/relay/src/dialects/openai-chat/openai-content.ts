import type { ContentPart, Json } from "../../core/chat/chat.ts";
import { parseDataUrl } from "../../core/chat/data-url.ts";
import { asObject, compact } from "../../core/chat/json.ts";
import { invalidField, optionalText, requireName, requireObject, requireText } from "../shared/fields.ts";

/**
 * An image of a message: the URL as a string or as `{url, detail}`. Throws invalid_request for anything that cannot be
 * an image.
 */
function parseImage(part: Json, path: string): ContentPart {
  const given = part["image_url"];
  const image = typeof given === "string" ? { url: given } : requireObject(given, `${path}.image_url`);
  const param = `${path}.image_url.url`;
  if (image["url"] === undefined) throw invalidField(param, "is required; images by id are not supported");
  const url = requireName(image["url"], param);
  const detail = optionalText(image["detail"], `${path}.image_url.detail`);
  const cacheControl = asObject(part["cache_control"]);
  if (/^https?:\/\//i.test(url)) {
    return compact({ type: "image" as const, source: { kind: "url" as const, url }, detail, cacheControl });
  }
  const data = parseDataUrl(url);
  if (!data) throw invalidField(param, "must be an http(s) URL or a base64 data URL");
  return compact({ type: "image" as const, source: { kind: "base64" as const, ...data }, detail, cacheControl });
}

function parseAudio(part: Json, path: string): ContentPart {
  const audio = requireObject(part["input_audio"], `${path}.input_audio`);
  return {
    type: "audio",
    format: requireName(audio["format"], `${path}.input_audio.format`),
    data: requireName(audio["data"], `${path}.input_audio.data`),
  };
}

function parseFile(part: Json, path: string): ContentPart {
  const file = requireObject(part["file"], `${path}.file`);
  const param = `${path}.file.file_data`;
  if (file["file_data"] === undefined) throw invalidField(param, "is required; files by id or URL are not supported");
  const data = parseDataUrl(requireName(file["file_data"], param));
  if (!data) throw invalidField(param, "must be a base64 data URL");
  const name = optionalText(file["filename"], `${path}.file.filename`) ?? "file";
  return compact({ type: "file" as const, name, ...data, cacheControl: asObject(part["cache_control"]) });
}

function parsePart(value: unknown, path: string): ContentPart {
  const part = requireObject(value, path);
  switch (part["type"]) {
    case "text":
      return compact({
        type: "text" as const,
        text: requireText(part["text"], `${path}.text`),
        cacheControl: asObject(part["cache_control"]),
      });
    case "refusal":
      return { type: "text", text: requireText(part["refusal"], `${path}.refusal`) };
    case "image_url":
      return parseImage(part, path);
    case "input_audio":
      return parseAudio(part, path);
    case "file":
      return parseFile(part, path);
    default:
      throw invalidField(`${path}.type`, "is not a known content type");
  }
}

/**
 * Parses the content of a message: undefined, a string, or parts. Throws invalid_request with the path of the invalid
 * value.
 */
export function parseContent(content: unknown, path: string): ContentPart[] {
  if (content === undefined || content === null) return [];
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) throw invalidField(path, "must be a string or an array of content parts");
  return content.map((part: unknown, index) => parsePart(part, `${path}[${index}]`));
}
