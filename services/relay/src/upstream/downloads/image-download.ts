import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { RelayError } from "../../core/errors/relay-error.ts";
import { detectImageType } from "../../core/chat/image-type.ts";
import { fetchFile } from "./file-download.ts";

/** A downloaded image; `data` is base64. */
export type InlineImage = { readonly mediaType: string; readonly data: string };

const refused = (why: string, cause?: unknown): RelayError =>
  new RelayError("invalid_request", `an image could not be fetched: ${why}`, { param: "messages", cause });

/** The media type from the bytes; servers often send a wrong one for images. */
function getType(bytes: Buffer, header: string | null): string | undefined {
  return detectImageType(bytes) ?? /^image\/[\w.+-]+/i.exec(header ?? "")?.[0].toLowerCase();
}

/**
 * Fetches an image by the URL a caller sent, never from a private address. Throws RelayError invalid_request if the
 * image is unavailable, too large, or not an image; the message does not reveal what responded.
 */
export async function fetchImage(guard: Pick<PrivateAddressGuard, "fetch">, address: string): Promise<InlineImage> {
  const { bytes, contentType } = await fetchFile(guard, address, refused);
  const mediaType = getType(bytes, contentType);
  if (mediaType === undefined) throw refused("its URL returns no image");
  return { mediaType, data: bytes.toString("base64") };
}
