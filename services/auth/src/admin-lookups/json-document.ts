import { AppError } from "@turnpike/shared/errors/app-error";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";

export type FetchJson = ReturnType<typeof createFetchJson>;

const REDIRECTS_MAX = 3;
const USER_AGENT = "turnpike";

/** A failed fetch; the message is short and contains nothing of the response. */
export class FetchFailure extends Error {
  readonly kind: "unreachable" | "unreadable";

  constructor(kind: FetchFailure["kind"], message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "FetchFailure";
    this.kind = kind;
  }
}

const describeFailure = (error: unknown): string => {
  const isLate = error instanceof Error && (error.name === "TimeoutError" || error.name === "AbortError");
  return isLate ? "timeout" : "no connection";
};

/**
 * Fetches a JSON document from an address that an admin entered, following a few redirects, each of which is checked
 * like the address itself. Throws address_not_allowed, or a FetchFailure with a short reason.
 */
export function createFetchJson(fetch: PrivateAddressGuard["fetch"]) {
  const get = async (url: string) => {
    try {
      return await fetch(url, { headers: { accept: "application/json", "user-agent": USER_AGENT } });
    } catch (error) {
      if (error instanceof AppError || error instanceof FetchFailure) throw error;
      throw new FetchFailure("unreachable", describeFailure(error), error);
    }
  };
  return async function fetchJson(address: string): Promise<unknown> {
    let url = address;
    for (let hop = 0; hop <= REDIRECTS_MAX; hop++) {
      const response = await get(url);
      const location = response.headers.get("location");
      if (response.status >= 300 && response.status < 400 && location !== null && URL.canParse(location, url)) {
        await response.body?.cancel();
        url = new URL(location, url).href;
        continue;
      }
      if (!response.ok) {
        await response.body?.cancel();
        throw new FetchFailure("unreachable", `HTTP ${response.status}`);
      }
      try {
        return await response.json();
      } catch (error) {
        throw new FetchFailure("unreadable", "not JSON", error);
      }
    }
    throw new FetchFailure("unreachable", "too many redirects");
  };
}
