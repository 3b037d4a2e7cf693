import type { Json } from "../../../core/chat/chat.ts";
import { asObject, asText } from "../../../core/chat/json.ts";
import { detectImageType } from "../../../core/chat/image-type.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";

/** An image as the caller sent it: its bytes or its URL. */
export type InputImage = { readonly content: Buffer; readonly mediaType: string } | { readonly url: string };

const DATA_URL = /^data:[^,]*;base64,/i;
const WEB_URL = /^https?:\/\//i;
/** OpenAI's own limit. */
const IMAGES_MAX = 16;

const unreadable = (param: string): RelayError =>
  new RelayError("invalid_request", `${param} must be a PNG, JPEG, GIF or WebP image`, { param });

function fromBytes(content: Buffer, param: string): InputImage {
  const mediaType = detectImageType(content);
  if (mediaType === undefined) throw unreadable(param);
  return { content, mediaType };
}

function fromText(text: string, param: string): InputImage {
  if (WEB_URL.test(text)) return { url: text };
  const data = DATA_URL.exec(text)?.[0];
  if (data === undefined) throw unreadable(param);
  return fromBytes(Buffer.from(text.slice(data.length), "base64"), param);
}

/** A file of a form, a URL, OpenAI's `{image_url}`, or xAI's `{url}`. */
function imageFrom(value: unknown, param: string): InputImage {
  const object = asObject(value);
  const content = object?.["content"];
  if (Buffer.isBuffer(content)) return fromBytes(content, param);
  return fromText(asText(object ? (object["image_url"] ?? object["url"]) : value) ?? "", param);
}

/**
 * The images of an image edit, from a form (`image`, `image[]`) or JSON (`image`, `images`). Throws RelayError
 * invalid_request for anything else.
 */
export function readInputImages(fields: Json): readonly InputImage[] {
  const sent = ["image", "image[]", "images"].flatMap((name) => fields[name] ?? []) as readonly unknown[];
  if (sent.length === 0) throw unreadable("image");
  if (sent.length > IMAGES_MAX)
    throw new RelayError("invalid_request", `more than ${IMAGES_MAX} images`, { param: "image" });
  return sent.map((one) => imageFrom(one, "image"));
}

/** The mask of an image edit; undefined if none was sent. */
export const sentMask = (fields: Json): InputImage | undefined =>
  fields["mask"] === undefined ? undefined : imageFrom(fields["mask"], "mask");

/** Refuses a mask for models without mask support: without it they would change the protected part. */
export function refuseMask(fields: Json): void {
  if (fields["mask"] === undefined) return;
  throw new RelayError("invalid_request", "a mask is not supported for this model", { param: "mask" });
}

/** The image as one string: its URL, or a data URL. */
export const getImageUrl = (image: InputImage): string =>
  "url" in image ? image.url : `data:${image.mediaType};base64,${image.content.toString("base64")}`;
