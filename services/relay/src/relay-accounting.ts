import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Logger } from "@turnpike/shared/log/log";
import { isRedisConnected, type Redis } from "@turnpike/shared/redis/redis";
import type { RelayConfig } from "./config.ts";
import { createAccountClient } from "./accounting/holds/account-client.ts";
import { createWriteAheadLog, readWriteAheadLog } from "./accounting/usage/write-ahead-log.ts";
import { createHighBalanceCache } from "./accounting/holds/high-balance-cache.ts";
import { createMetering } from "./accounting/holds/call-meter.ts";
import { createDeferredHolds } from "./accounting/holds/deferred-holds.ts";
import { createUsageEstimator } from "./accounting/tokens/usage-estimator.ts";
import { createFailOpenLedger } from "./accounting/holds/fail-open.ts";
import { createPlaceHold } from "./accounting/holds/hold-placement.ts";
import { createSpool } from "./accounting/usage/spool.ts";
import { createUsagePublisher, encodeUsage } from "./accounting/usage/usage-publisher.ts";

type Deps = {
  readonly config: RelayConfig;
  readonly relayId: string;
  readonly redis: Redis;
  readonly options: { readonly current: () => OptionsInForce };
  readonly now: () => number;
  readonly log: Logger;
  readonly spoolRoot: string;
  readonly publishUsage: (payload: string, id: string) => Promise<void>;
  readonly loadAccount: (userId: number, tokenId: number) => Promise<void>;
};

const SETTLE_WAIT_MS = 2_000;
const SETTLE_STEP_MS = 10;

/**
 * Waits for settlements in flight, whose records follow them; the janitor posts those that Redis does not acknowledge
 * in time.
 */
async function untilSettled(isIdle: () => boolean): Promise<void> {
  const until = Date.now() + SETTLE_WAIT_MS;
  while (!isIdle() && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, SETTLE_STEP_MS));
}

/**
 * Publishes usage to JetStream, spooling it to disk while JetStream is down, including the write-ahead logs of dead
 * relays.
 */
function createSpooledPublisher({ config, spoolRoot: root, relayId: owner, publishUsage: publish, log, now }: Deps) {
  const bytesMax = config.SPOOL_LIMIT_MB * 1024 * 1024;
  const recover = (folder: string): string[] => {
    const records = readWriteAheadLog(folder, Math.floor(now() / 1000));
    if (records.length > 0) log.info({ calls: records.length }, "write-ahead log of a dead relay sent");
    return encodeUsage(records, "relay");
  };
  const spool = createSpool({ root, owner, bytesMax, log, recover });
  const writeAheadLog = createWriteAheadLog({ folder: spool.folder, log });
  return { writeAheadLog, publisher: createUsagePublisher({ publish, spool, source: "relay", log }) };
}

/** Waits if there is time: a pod's disk is deleted with the pod, and a restarting NATS is back within seconds. */
const SPOOL_WAIT_GRACE_MIN_SECONDS = 15;
const getSpoolWaitMs = ({ SHUTDOWN_GRACE_SECONDS: graceSeconds }: RelayConfig): number =>
  graceSeconds < SPOOL_WAIT_GRACE_MIN_SECONDS ? 0 : graceSeconds * 500;

/** Wires holds, settlement and usage records, and flushes them at shutdown. */
export function createAccounting(deps: Deps) {
  const { config, log, now } = deps;
  const failOpen = createFailOpenLedger({ mode: config.REDIS_FAILURE_MODE, cap: config.OPEN_MODE_CAP });
  const highBalances = createHighBalanceCache(now, failOpen.remember, () => isRedisConnected(deps.redis));
  const { publisher, writeAheadLog } = createSpooledPublisher(deps);
  const accounts = createAccountClient(deps.redis, deps.relayId, now);
  const deferred = createDeferredHolds({ accounts, highBalances, writeAheadLog, loadAccount: deps.loadAccount, log });
  const placeHold = createPlaceHold({ accounts, highBalances, failOpen, loadAccount: deps.loadAccount });
  const openMeter = createMetering({
    accounts,
    options: deps.options.current,
    usageEstimator: createUsageEstimator(),
    publisher,
    placeHold,
    highBalances,
    deferred,
    writeAheadLog,
    now,
    log,
  });
  return {
    accounts,
    publisher,
    placeHold,
    openMeter,
    highBalances,
    /** Waits for running settlements, whose records follow them, and publishes or spools all records. */
    async flush(): Promise<void> {
      await untilSettled(accounts.isIdle);
      writeAheadLog.close();
      await publisher.stop(getSpoolWaitMs(config));
    },
  };
}
