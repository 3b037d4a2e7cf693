import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { RelayError } from "../../core/errors/relay-error.ts";
import { REDIRECTS_MAX, getRedirectTarget } from "../redirects.ts";

export type FetchedFile = { readonly bytes: Buffer; readonly contentType: string | null };

/**
 * Fetches a URL, never from a private address, within the guard's time and size limits. Throws the error that `refused`
 * builds from the reason; the reason does not reveal what responded.
 */
export async function fetchFile(
  guard: Pick<PrivateAddressGuard, "fetch">,
  address: string,
  refused: (why: string, cause?: unknown) => RelayError,
): Promise<FetchedFile> {
  let url = address;
  for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
    const answer = await guard.fetch(url).catch((cause: unknown) => {
      throw refused("its URL does not respond, or is not allowed", cause);
    });
    const next = getRedirectTarget(url, answer.status, answer.headers.get("location"));
    if (next === undefined) {
      if (!answer.ok) throw refused(`its URL responded with status ${answer.status}`);
      const bytes = await answer.arrayBuffer().catch((cause: unknown) => {
        throw refused("it is too large, or broke off", cause);
      });
      return { bytes: Buffer.from(bytes), contentType: answer.headers.get("content-type") };
    }
    await answer.body?.cancel();
    if (next === "") throw refused("its URL redirects to an invalid URL");
    url = next;
  }
  throw refused("its URL redirects too many times");
}
