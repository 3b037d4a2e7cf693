import type { ModelPrice, PriceTables } from "@turnpike/contract/pricing/price-tables";
import type { RelayCall } from "../../../core/call/relay-call.ts";
import type { UsageEstimator } from "../../tokens/usage-estimator.ts";
import type { UsagePublisher } from "../../usage/usage-publisher.ts";
import type { CallOutcome } from "../../usage/call-outcome.ts";
import type { WriteAheadLog } from "../../usage/write-ahead-log.ts";
import type { AccountClient } from "../account-client.ts";
import type { HoldRequest } from "../account-requests.ts";
import type { DeferredHold } from "../deferred-holds.ts";
import type { Settle } from "./settlement.ts";

export type MeterDeps = {
  readonly accounts: Pick<AccountClient, "extend" | "reportProgress" | "relayId">;
  /** Requests billing to load a missing balance into Redis. */
  readonly loadAccount: (userId: number, tokenId: number) => Promise<void>;
  readonly usageEstimator: UsageEstimator;
  readonly publisher: Pick<UsagePublisher, "add">;
  readonly writeAheadLog: Pick<WriteAheadLog, "append" | "appendBatched" | "acknowledge">;
  readonly settle: Settle;
  readonly now: () => number;
};

/** A call with its hold, and the prices that it was admitted with. */
export type HeldCall = {
  readonly call: RelayCall;
  readonly request: HoldRequest;
  /** False in fail-open mode: Redis was down. */
  readonly isInRedis: boolean;
  /** For a high-balance account: its hold was not requested yet. */
  readonly deferred: DeferredHold | undefined;
  readonly price: ModelPrice;
  readonly tables: PriceTables;
  readonly groupRatio: number;
  /** The most that a response of this length may cost, and what it costs if it is served as requested. */
  readonly quotaFor: (completionTokens: number) => number;
  readonly leastFor: (completionTokens: number) => number;
  /** The part of `quotaFor` for requests that the provider may make within the call. */
  readonly iterationsQuota: number;
  readonly promptTokens: number;
  readonly estimatedTokens: number;
  /** The most tokens that a response of the model may have. */
  readonly tokensMax: number;
  /** The option UnpricedTiers. */
  readonly tierPolicy: string;
  /** Called when the call is charged. */
  readonly onCharge: (outcome: CallOutcome) => void;
};
