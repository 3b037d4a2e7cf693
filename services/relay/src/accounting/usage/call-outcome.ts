import type { TokenUsage } from "@turnpike/contract/pricing/usage";
import type { RelayError } from "../../core/errors/relay-error.ts";

/** How a charged call ended. `error` is set if its response was cut. */
export type CallOutcome = {
  readonly usage: TokenUsage;
  readonly estimated: boolean;
  readonly error: RelayError | undefined;
  /** The id that upstream gave the response; missing or empty where it gave none. */
  readonly responseId?: string;
  /** Set if the response came from the response cache: the share of the price that is charged. */
  readonly hitRatio?: number;
};
