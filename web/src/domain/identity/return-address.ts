const KEY = "sign-in-return";

/** Remembers, for this tab, where to go when a provider sends the person back. */
export function storeReturnAddress(address: string): void {
  try {
    sessionStorage.setItem(KEY, address);
  } catch {
    // Without storage the way back leads to the usual landing page.
  }
}

/** Where to go, asked once; undefined when nothing was remembered. */
export function takeReturnAddress(): string | undefined {
  try {
    const address = sessionStorage.getItem(KEY) ?? undefined;
    sessionStorage.removeItem(KEY);
    return address;
  } catch {
    return undefined;
  }
}
