import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { RelayError } from "../errors/relay-error.ts";
import { REDIRECTS_MAX, redirectedTo } from "../upstream/redirected-to.ts";
import { pictureTypeOf } from "../chat/picture-type.ts";
import type { InlineImage } from "./image-places.ts";

const refused = (why: string, cause?: unknown): RelayError =>
  new RelayError("invalid_request", `an image could not be fetched: ${why}`, { param: "messages", cause });

/** What the bytes are; servers often call a picture something else. */
function typeOf(bytes: Buffer, header: string | null): string | undefined {
  return pictureTypeOf(bytes) ?? /^image\/[\w.+-]+/i.exec(header ?? "")?.[0].toLowerCase();
}

/**
 * Fetches a picture that a caller gave by address, never from a private one. Throws RelayError invalid_request for what cannot be
 * had, is too large, or is no picture; the message does not tell what answered.
 */
export async function fetchImage(guard: Pick<PrivateAddressGuard, "fetch">, address: string): Promise<InlineImage> {
  let url = address;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const answer = await guard.fetch(url).catch((cause: unknown) => {
      throw refused("its address does not answer, or is not allowed", cause);
    });
    const next = redirectedTo(url, answer.status, answer.headers.get("location"));
    if (next === undefined) {
      if (!answer.ok) throw refused(`its address answered with status ${answer.status}`);
      const bytes = await answer.arrayBuffer().catch((cause: unknown) => {
        throw refused("it is too large, or broke off", cause);
      });
      const data = Buffer.from(bytes);
      const mediaType = typeOf(data, answer.headers.get("content-type"));
      if (mediaType === undefined) throw refused("what its address holds is no image");
      return { mediaType, data: data.toString("base64") };
    }
    await answer.body?.cancel();
    if (next === "") throw refused("its address leads nowhere");
    url = next;
  }
  throw refused("its address leads on and on");
}
