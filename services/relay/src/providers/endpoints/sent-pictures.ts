import type { Json } from "../../core/chat/chat.ts";
import { asObject, asText } from "../../core/chat/json.ts";
import { detectImageType } from "../../core/chat/image-type.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

/** A picture as a caller sent it: its bytes, or the address where it lies. */
export type SentPicture = { readonly content: Buffer; readonly mediaType: string } | { readonly url: string };

const DATA_URL = /^data:[^,]*;base64,/i;
const WEB_URL = /^https?:\/\//i;
/** OpenAI's own bound. */
const PICTURES_MAX = 16;

const unreadable = (param: string): RelayError =>
  new RelayError("invalid_request", `${param} must be a PNG, JPEG, GIF or WebP image`, { param });

function fromBytes(content: Buffer, param: string): SentPicture {
  const mediaType = detectImageType(content);
  if (mediaType === undefined) throw unreadable(param);
  return { content, mediaType };
}

function fromText(text: string, param: string): SentPicture {
  if (WEB_URL.test(text)) return { url: text };
  const data = DATA_URL.exec(text)?.[0];
  if (data === undefined) throw unreadable(param);
  return fromBytes(Buffer.from(text.slice(data.length), "base64"), param);
}

/** A file of a form, an address, OpenAI's `{image_url}`, or xAI's `{url}`. */
function pictureFrom(value: unknown, param: string): SentPicture {
  const object = asObject(value);
  const content = object?.["content"];
  if (Buffer.isBuffer(content)) return fromBytes(content, param);
  return fromText(asText(object ? (object["image_url"] ?? object["url"]) : value) ?? "", param);
}

/**
 * The pictures of an image edit, of a form (`image`, `image[]`) or of JSON (`image`, `images`). Throws RelayError invalid_request
 * for what is no picture.
 */
export function sentPictures(fields: Json): readonly SentPicture[] {
  const sent = ["image", "image[]", "images"].flatMap((name) => fields[name] ?? []) as readonly unknown[];
  if (sent.length === 0) throw unreadable("image");
  if (sent.length > PICTURES_MAX)
    throw new RelayError("invalid_request", `more than ${PICTURES_MAX} images`, { param: "image" });
  return sent.map((one) => pictureFrom(one, "image"));
}

/** The part of a picture that may be drawn over; undefined where none was sent. */
export const sentMask = (fields: Json): SentPicture | undefined =>
  fields["mask"] === undefined ? undefined : pictureFrom(fields["mask"], "mask");

/** Refuses a mask, for models that know none: without it they would change what was to stay. */
export function refuseMask(fields: Json): void {
  if (fields["mask"] === undefined) return;
  throw new RelayError("invalid_request", "a mask is not supported for this model", { param: "mask" });
}

/** The picture in one text: its address, or its data as one. */
export const pictureUrl = (picture: SentPicture): string =>
  "url" in picture ? picture.url : `data:${picture.mediaType};base64,${picture.content.toString("base64")}`;
