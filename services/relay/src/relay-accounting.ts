import { join } from "node:path";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Logger } from "@turnpike/shared/log/log";
import { isRedisConnected, type Redis } from "@turnpike/shared/redis/redis";
import type { RelayConfig } from "./config.ts";
import { RELAYS_KEY } from "@turnpike/shared/accounts/account-keys";
import { toReleasedRecord } from "@turnpike/shared/accounts/recovered-usage";
import { AccountClient } from "./accounting/holds/account-client.ts";
import type { LostHold } from "./accounting/holds/account-requests.ts";
import { WriteAheadLog, readWriteAheadLog } from "./accounting/usage/write-ahead-log.ts";
import { createHoldAudit } from "./accounting/holds/hold-audit.ts";
import type { Held } from "./accounting/holds/hold-releases.ts";
import { createHighBalanceCache } from "./accounting/holds/high-balance-cache.ts";
import { createChargeLimits } from "./accounting/holds/meters/charge-limit.ts";
import { createMetering } from "./accounting/holds/meters/metering.ts";
import { DeferredHolds } from "./accounting/holds/deferred-holds.ts";
import { createHiddenReasoning } from "./accounting/tokens/hidden-reasoning.ts";
import { createSharedReasoning } from "./accounting/tokens/shared-reasoning.ts";
import { createUsageEstimator } from "./accounting/tokens/usage-estimator.ts";
import { createFailOpenLedger } from "./accounting/holds/fail-open.ts";
import { createPlaceHold } from "./accounting/holds/hold-placement.ts";
import { Spool } from "./accounting/usage/spool.ts";
import { createSpoolTakeover, DEAD_LETTERS } from "./accounting/usage/spool-takeover.ts";
import { createRelayDeadLetters } from "./accounting/usage/dead-letters.ts";
import { createUsageEncoder } from "./accounting/usage/usage-messages.ts";
import { createUsagePublisher } from "./accounting/usage/usage-publisher.ts";
import type { UsageStream } from "./accounting/usage/usage-stream.ts";

type Deps = {
  readonly config: RelayConfig;
  readonly relayId: string;
  readonly redis: Redis;
  readonly options: { readonly current: () => OptionsInForce };
  readonly now: () => number;
  readonly log: Logger;
  readonly spoolRoot: string;
  readonly usageStream: UsageStream;
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
function createSpooledPublisher({ config, redis, spoolRoot: root, relayId: owner, usageStream, log, now }: Deps) {
  const bytesMax = config.SPOOL_LIMIT_MB * 1024 * 1024;
  const source = "relay";
  const encode = createUsageEncoder(source, usageStream.payloadBytesMax);
  const recover = (folder: string): string[] => {
    const records = readWriteAheadLog(folder, Math.floor(now() / 1000));
    if (records.length > 0) log.info({ calls: records.length }, "write-ahead log of a dead relay sent");
    return encode(records).map(({ line }) => line);
  };
  const spool = new Spool({ root, owner, bytesMax, log, recover });
  const writeAheadLog = new WriteAheadLog({ folder: spool.folder, log });
  const deadLetters = createRelayDeadLetters({ folder: join(root, DEAD_LETTERS), owner, log });
  const publisher = createUsagePublisher({ ...usageStream, spool, deadLetters, source, log });
  const spoolTakeover = createSpoolTakeover({
    spool,
    root,
    owner,
    readHeartbeat: async (relayId) => (await redis.zscore(RELAYS_KEY, relayId)) ?? undefined,
    sendSpooled: publisher.sendSpooled,
    monotonicMs: () => performance.now(),
    log,
  });
  return { writeAheadLog, publisher, spoolTakeover };
}

/** Waits if there is time: a pod's disk is deleted with the pod, and a restarting NATS is back within seconds. */
const SPOOL_WAIT_GRACE_MIN_SECONDS = 15;
const getSpoolWaitMs = ({ SHUTDOWN_GRACE_SECONDS: graceSeconds }: RelayConfig): number =>
  graceSeconds < SPOOL_WAIT_GRACE_MIN_SECONDS ? 0 : graceSeconds * 500;

/** Wires holds, settlement and usage records, and flushes them at shutdown. */
export function createAccounting(deps: Deps) {
  const { config, log, now } = deps;
  const failOpen = createFailOpenLedger({ mode: config.REDIS_FAILURE_MODE, cap: config.OPEN_MODE_CAP });
  const { publisher, writeAheadLog, spoolTakeover } = createSpooledPublisher(deps);
  const { redis, relayId } = deps;
  const reportLost = (hold: LostHold): void => publisher.add(toReleasedRecord(hold, Math.floor(now() / 1000)));
  const accounts = new AccountClient({ redis, relayId, reportLost });
  const { getTimeMs } = accounts;
  const isConnected = (): boolean => isRedisConnected(redis);
  const highBalances = createHighBalanceCache(now, failOpen.remember, isConnected, () => accounts.relayCount());
  const deferred = new DeferredHolds({ accounts, highBalances, writeAheadLog, loadAccount: deps.loadAccount, log });
  const placeHold = createPlaceHold({ accounts, highBalances, failOpen, loadAccount: deps.loadAccount });
  const usageEstimator = createUsageEstimator();
  const hiddenReasoning = createHiddenReasoning();
  const sharedReasoning = createSharedReasoning({ redis, hidden: hiddenReasoning });
  const getChargeLimit = createChargeLimits({ options: deps.options.current, usageEstimator });
  const openMeter = createMetering({
    accounts,
    options: deps.options.current,
    usageEstimator,
    publisher,
    placeHold,
    highBalances,
    deferred,
    loadAccount: deps.loadAccount,
    writeAheadLog,
    now,
    log,
  });
  const { running } = accounts;
  const release = (hold: Held): void => accounts.releaseHold(hold);
  const holdAudit = createHoldAudit({ redis, relayId, running, release, log });
  return {
    accounts,
    getTimeMs,
    publisher,
    placeHold,
    openMeter,
    getChargeLimit,
    hiddenReasoning,
    highBalances,
    /** Reports to billing that a call cost nothing. */
    reportReleased: reportLost,
    /** Run while the relay does. */
    loops: [holdAudit, spoolTakeover, sharedReasoning],
    /** Waits for running settlements, whose records follow them, and publishes or spools all records. */
    async flush(): Promise<void> {
      await spoolTakeover.stop();
      await untilSettled(() => accounts.isIdle());
      writeAheadLog.close();
      await publisher.stop(getSpoolWaitMs(config));
    },
  };
}

export type Accounting = ReturnType<typeof createAccounting>;
