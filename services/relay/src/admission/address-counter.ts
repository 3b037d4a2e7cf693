import { getAddressGroup } from "@turnpike/shared/http/address-group";

const ADDRESSES_MAX = 10_000;

type Window = { readonly fromMs: number; count: number };

/**
 * Counts events per address in fixed windows; IPv6 addresses of one network count as one. Not the shared rate limiter:
 * every call reads it before anything else, so it must not wait for a promise, and it is read without being counted.
 */
export class AddressCounter {
  readonly #now: () => number;
  readonly #limits: { readonly max: number; readonly windowMs: number };
  readonly #windows = new Map<string, Window>();

  constructor(now: () => number, limits: { readonly max: number; readonly windowMs: number }) {
    this.#now = now;
    this.#limits = limits;
  }

  count(address: string): void {
    const window = this.#current(address);
    if (window) {
      window.count++;
      return;
    }
    const group = getAddressGroup(address);
    // The oldest come first.
    this.#windows.delete(group);
    const [oldest] = this.#windows.keys();
    if (oldest !== undefined && this.#windows.size >= ADDRESSES_MAX) this.#windows.delete(oldest);
    this.#windows.set(group, { fromMs: this.#now(), count: 1 });
  }

  /** Takes one event back. */
  uncount(address: string): void {
    const window = this.#current(address);
    if (window) window.count--;
  }

  isExhausted(address: string): boolean {
    return this.#windows.size > 0 && (this.#current(address)?.count ?? 0) >= this.#limits.max;
  }

  /** Seconds until the window of an address ends, at least 1. */
  waitSeconds(address: string): number {
    const window = this.#current(address);
    return window ? Math.max(1, Math.ceil((window.fromMs + this.#limits.windowMs - this.#now()) / 1000)) : 1;
  }

  #current(address: string): Window | undefined {
    const window = this.#windows.get(getAddressGroup(address));
    return window && this.#now() - window.fromMs < this.#limits.windowMs ? window : undefined;
  }
}
