import type { Limit } from "./limits/limit-arguments.ts";
import { type Held } from "./hold-releases.ts";

/** The hold that a call requests before it runs. */
export type HoldRequest = {
  readonly requestId: string;
  readonly userId: number;
  /** 0 for a token without a budget. */
  readonly tokenId: number;
  readonly amount: number;
  /** The amount held if the balance does not cover `amount`. */
  readonly least: number;
  readonly limits: readonly Limit[];
  /**
   * What the janitor needs to post the call if this relay dies; serialized when it is sent, which may never happen for
   * a deferred hold.
   */
  readonly json: () => string;
};

/** The amount still available; `tokenAvailable` is that of the token's budget, undefined for a token without one. */
export type Balance = { readonly available: number; readonly tokenAvailable: number | undefined };

/** The response of Redis to a hold request. */
export type HoldResponse =
  | ({
      readonly outcome: "held";
      readonly amount: number;
      /** What is left of each limit. */
      readonly remaining?: readonly number[];
    } & Balance)
  | { readonly outcome: "not_loaded" }
  | { readonly outcome: "limited"; readonly limit: Limit; readonly waitMs: number }
  | { readonly outcome: "user_quota" | "token_quota"; readonly available: number };

/** The real cost of a call, which replaces its hold. */
export type Settlement = {
  readonly requestId: string;
  readonly userId: number;
  readonly tokenId: number;
  readonly amount: number;
  /** The limits of the hold. */
  readonly limits: readonly Limit[];
  readonly hasSucceeded: boolean;
  /** For limits on tokens. */
  readonly usedTokens: number;
  /** The second of Redis that holds the token estimate; set by the client that placed the hold. */
  readonly guessSecond?: number | undefined;
  readonly json: string;
  /** False drops the hold: the call leaves no record. */
  readonly keep: boolean;
  /**
   * Called with the new balance once Redis acknowledged the settlement, or with an error if Redis refused or lost it.
   */
  readonly done: (result: Balance | Error) => void;
};

export type Extension = {
  readonly requestId: string;
  readonly userId: number;
  readonly tokenId: number;
  readonly amount: number;
  /** What the call holds as far as the relay knows. Redis may have lost it. */
  readonly heldAmount: number;
  /** Replaces the data for the janitor. */
  readonly json: string;
};

/** A call whose hold was missing, or claimed by the janitor, when it was released. */
export type LostHold = Pick<Held, "requestId" | "userId">;

export type Waiting = {
  readonly request: HoldRequest;
  readonly resolve: (response: HoldResponse) => void;
  readonly reject: (error: unknown) => void;
};
