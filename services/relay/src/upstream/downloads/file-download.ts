import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { RelayError } from "../../core/errors/relay-error.ts";
import { REDIRECTS_MAX, redirectedTo } from "../redirects.ts";

export type FetchedFile = { readonly bytes: Buffer; readonly contentType: string | null };

/**
 * Fetches what lies at an address, never from a private one, in the time and size that the guard allows. Throws what `refused` makes
 * of the reason, which does not tell what answered.
 */
export async function fetchFile(
  guard: Pick<PrivateAddressGuard, "fetch">,
  address: string,
  refused: (why: string, cause?: unknown) => RelayError,
): Promise<FetchedFile> {
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
      return { bytes: Buffer.from(bytes), contentType: answer.headers.get("content-type") };
    }
    await answer.body?.cancel();
    if (next === "") throw refused("its address leads nowhere");
    url = next;
  }
  throw refused("its address leads on and on");
}
