import type { ModelPrice } from "@turnpike/contract/pricing/price-tables";
import type { TokenUsage } from "@turnpike/contract/pricing/quota";
import type { GeneratedText } from "../../tokens/generated-text.ts";
import type { CallOutcome } from "../../usage/call-outcome.ts";

/** The tokens generated so far. */
export type GeneratedTokens = Pick<GeneratedText, "estimateTokens" | "length" | "refine" | "recount" | "wasCounted">;

/** The hold and settlement of an admitted call. `charge` or `release` is called; a release after a charge does nothing. */
export type CallMeter = {
  readonly price: ModelPrice;
  /** The share of the price that a cached response costs, by the prices that the call was admitted with. */
  readonly cachedResponseRatio: number;
  /**
   * Replaces the hold by the exact cost and sends the usage record. The end of the response waits for the promise, so
   * that no caller has a complete response whose cost a crash could still change: by then it is in the write-ahead log
   * or was sent to Redis.
   */
  readonly charge: (outcome: CallOutcome) => Promise<void> | void;
  /** What the caller was charged, in dollars; undefined until then, and for a call that costs nothing because it failed. */
  readonly getCharge: () => string | undefined;
  /** How many completion tokens the hold covers. */
  readonly getCoveredTokens: () => number;
  /** Releases the hold: nothing was served, or the charge failed before the cost was sent. */
  readonly release: () => void;
  /** Called before any part of the response is sent: from then on a crash must not make the call free. */
  readonly secure: () => void;
  /** Reports what was generated so far; false if the balance no longer covers the call. */
  readonly produced: (generated: GeneratedTokens) => boolean | Promise<boolean>;
  /** Whether what was generated so far costs as much as the caller's ceiling; a promise while the tokenizer counts it. */
  readonly isLimitReached: (generated: GeneratedTokens) => boolean | Promise<boolean>;
  /**
   * For long-running calls: reports the usage so far, which the janitor would post if this process died, and keeps as
   * much again as the most expensive part so far on hold; false if the balance does not even cover the first hold
   * again.
   */
  readonly spent: (usage: TokenUsage) => Promise<boolean>;
};
