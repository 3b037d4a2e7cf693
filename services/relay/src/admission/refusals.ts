import type { RelayError } from "../core/errors/relay-error.ts";
import { AddressCounter } from "./address-counter.ts";

/** From this many refused keys within the window on, an address waits for each further refusal. */
const LIMITS = { max: 100, windowMs: 10_000 };
const DELAY_MS = 1_000;
/** More refusals than this do not wait at once: each holds a connection. */
const WAITING_MAX = 5_000;

/** Throws the error, or rejects with it later. */
export type RefuseKey = (error: RelayError, address: string) => Promise<never>;

/**
 * Refuses keys, after a delay for addresses that send many wrong ones: a flood over a number of connections then costs
 * a few refusals a second for each of them, and does not slow other callers.
 */
export function createKeyRefusals({
  now,
  delay,
}: {
  now: () => number;
  delay: (ms: number) => Promise<unknown>;
}): RefuseKey {
  const refused = new AddressCounter(now, LIMITS);
  let waiting = 0;
  return function refuseKey(error, address) {
    refused.count(address);
    if (!refused.isExhausted(address) || waiting >= WAITING_MAX) throw error;
    waiting++;
    return delay(DELAY_MS).then(() => {
      waiting--;
      throw error;
    });
  };
}
