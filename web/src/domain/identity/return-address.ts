const KEY = "sign-in-return";

/** Stores, for this tab, the page to return to after a provider's redirect. */
export function storeReturnAddress(address: string): void {
  try {
    sessionStorage.setItem(KEY, address);
  } catch {
    // Without storage the way back leads to the usual landing page.
  }
}

/** Returns the stored page and removes it; undefined when there is none. */
export function takeReturnAddress(): string | undefined {
  try {
    const address = sessionStorage.getItem(KEY) ?? undefined;
    sessionStorage.removeItem(KEY);
    return address;
  } catch {
    return undefined;
  }
}
