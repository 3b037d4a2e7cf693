import type { Json } from "../../core/chat/chat.ts";
import type { InlineImage } from "../../upstream/downloads/image-download.ts";
import { asObject, asText } from "../../core/chat/json.ts";

/** Maps a URL to its replacement; undefined keeps it. */
type Replace = (url: string) => InlineImage | undefined;

const isWeb = (url: string | undefined): url is string => url !== undefined && /^https?:\/\//i.test(url);
const dataUrl = ({ mediaType, data }: InlineImage): string => `data:${mediaType};base64,${data}`;

/** OpenAI's `image_url`: an object in chat, a string in responses. */
function imageUrl(value: unknown, replace: Replace): unknown {
  const object = asObject(value);
  const url = asText(object ? object["url"] : value);
  const image = isWeb(url) ? replace(url) : undefined;
  if (!image) return value;
  return object ? { ...object, url: dataUrl(image) } : dataUrl(image);
}

/** Anthropic's `source`. */
function source(value: unknown, replace: Replace): unknown {
  const object = asObject(value);
  const url = asText(object?.["url"]);
  const image = object?.["type"] === "url" && isWeb(url) ? replace(url) : undefined;
  return image ? { type: "base64", media_type: image.mediaType, data: image.data } : value;
}

/** Google's `fileData` becomes `inlineData`. */
function googlePart(part: Json, replace: Replace): Json | undefined {
  const file = asObject(part["fileData"] ?? part["file_data"]);
  const url = asText(file?.["fileUri"] ?? file?.["file_uri"]);
  const mediaType = asText(file?.["mimeType"] ?? file?.["mime_type"]) ?? "";
  const isImage = mediaType === "" || mediaType.startsWith("image/");
  const image = isImage && isWeb(url) ? replace(url) : undefined;
  if (!image) return undefined;
  const { fileData: _camel, file_data: _snake, ...rest } = part;
  return { ...rest, inlineData: { mimeType: image.mediaType, data: image.data } };
}

function walkObject(object: Json, replace: Replace): Json {
  const inlined = googlePart(object, replace);
  if (inlined) return inlined;
  let changed: Record<string, unknown> | undefined;
  for (const [name, entry] of Object.entries(object)) {
    const made =
      name === "image_url"
        ? imageUrl(entry, replace)
        : name === "source" && object["type"] === "image"
          ? source(entry, replace)
          : withImages(entry, replace);
    if (made !== entry) (changed ??= { ...object })[name] = made;
  }
  return changed ?? object;
}

/** A conversation of any dialect with its image URLs replaced; the same value if there are none. */
export function withImages(value: unknown, replace: Replace): unknown {
  if (Array.isArray(value)) {
    const made = value.map((item: unknown) => withImages(item, replace));
    return made.some((item, index) => item !== value[index]) ? made : value;
  }
  const object = asObject(value);
  return object ? walkObject(object, replace) : value;
}

/** The image URLs in a conversation. */
export function imageAddresses(value: unknown): string[] {
  const urls = new Set<string>();
  withImages(value, (url) => {
    urls.add(url);
    return undefined;
  });
  return [...urls];
}
