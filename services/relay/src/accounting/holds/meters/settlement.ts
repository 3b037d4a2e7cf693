import type { Logger } from "@turnpike/shared/log/log";
import { settleFailures } from "../../../core/telemetry/relay-metrics.ts";
import type { AppendReceipt, WriteAheadLog } from "../../usage/write-ahead-log.ts";
import type { AccountClient } from "../account-client.ts";
import type { Settlement } from "../account-requests.ts";
import type { HighBalanceCache } from "../high-balance-cache.ts";

type Deps = {
  readonly accounts: Pick<AccountClient, "settle">;
  readonly highBalances: HighBalanceCache;
  readonly writeAheadLog: Pick<WriteAheadLog, "acknowledge">;
  readonly log: Logger;
};

/** After this time a usage record is in JetStream or on disk. */
const PUBLISHED_MS = 10_000;
const BY_REDIS_ALONE = { receipt: undefined, isLate: false };

/**
 * Settles in Redis; `done` runs with the response, and the write-ahead log entry is acknowledged once the cost is
 * stored elsewhere.
 */
export function createSettle(deps: Deps) {
  return function settle(
    settlement: Omit<Settlement, "done">,
    done: () => void,
    { receipt, isLate }: { receipt: AppendReceipt | undefined; isLate: boolean } = BY_REDIS_ALONE,
  ): Promise<void> | undefined {
    const acknowledge = (): void => receipt && deps.writeAheadLog.acknowledge(receipt);
    return deps.accounts.settle(
      {
        ...settlement,
        done: (result) => {
          if (result instanceof Error) {
            // The record is still published; posting it clears the hold.
            settleFailures.value++;
            deps.log.warn({ err: result, requestId: settlement.requestId }, "settlement in Redis failed");
            deps.highBalances.forget(settlement.userId);
            setTimeout(acknowledge, PUBLISHED_MS).unref();
          } else {
            deps.highBalances.remember(settlement, result);
            acknowledge();
          }
          done();
        },
      },
      isLate,
    );
  };
}

export type Settle = ReturnType<typeof createSettle>;
