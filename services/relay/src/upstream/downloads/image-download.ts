import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { RelayError } from "../../core/errors/relay-error.ts";
import { detectImageType } from "../../core/chat/image-type.ts";
import { fetchFile } from "./file-download.ts";

/** A downloaded image; `data` is base64. */
export type InlineImage = { readonly mediaType: string; readonly data: string };

const refused = (why: string, cause?: unknown): RelayError =>
  new RelayError("invalid_request", `an image could not be fetched: ${why}`, { param: "messages", cause });

/** What the bytes are; servers often call a picture something else. */
function typeOf(bytes: Buffer, header: string | null): string | undefined {
  return detectImageType(bytes) ?? /^image\/[\w.+-]+/i.exec(header ?? "")?.[0].toLowerCase();
}

/**
 * Fetches a picture that a caller gave by address, never from a private one. Throws RelayError invalid_request for what cannot be
 * had, is too large, or is no picture; the message does not tell what answered.
 */
export async function fetchImage(guard: Pick<PrivateAddressGuard, "fetch">, address: string): Promise<InlineImage> {
  const { bytes, contentType } = await fetchFile(guard, address, refused);
  const mediaType = typeOf(bytes, contentType);
  if (mediaType === undefined) throw refused("what its address holds is no image");
  return { mediaType, data: bytes.toString("base64") };
}
