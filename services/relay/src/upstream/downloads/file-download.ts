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
    const response = await guard.fetch(url).catch((cause: unknown) => {
      throw refused("its URL does not respond, or is not allowed", cause);
    });
    const next = getRedirectTarget(url, response.status, response.headers.get("location"));
    if (next === undefined) {
      if (!response.ok) throw refused(`its URL responded with status ${response.status}`);
      const bytes = await response.arrayBuffer().catch((cause: unknown) => {
        throw refused("it is too large, or broke off", cause);
      });
      return { bytes: Buffer.from(bytes), contentType: response.headers.get("content-type") };
    }
    await response.body?.cancel();
    if (next === "") throw refused("its URL redirects to an invalid URL");
    url = next;
  }
  throw refused("its URL redirects too many times");
}
