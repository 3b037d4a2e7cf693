import { createLease } from "@turnpike/shared/lease/lease";
import { createRedisLeaseStore } from "@turnpike/shared/lease/redis-lease-store";
import { createBalanceOrderRepair } from "./accounts/balance-order.ts";
import { createAccountSweep } from "./accounts/account-sweep.ts";
import { createJobScheduler } from "./recovery/job-scheduler.ts";
import { createOpenCallRecovery } from "./recovery/open-call-recovery.ts";
import { createLoadedBalanceRepair } from "./recovery/loaded-balances.ts";
import { createOpenCalls } from "./recovery/open-calls.ts";
import { createLedgerTotalsCheck } from "./reconciliation/ledger-totals.ts";
import { createIndexMigration } from "./store/index-migration.ts";
import { createRecordPublisher } from "./usage-stream/record-publisher.ts";
import { type BillingDeps, createClock, type Foundations, type Parts } from "./foundations.ts";

const JANITOR_MS = 5_000;
const STALE_CALLS_MS = 300_000;
const SWEEP_MS = 30_000;
const LOG_CLEANER_MS = 60_000;
const LOG_RETENTION_MS = 300_000;
const TOKEN_PERIODS_MS = 2_000;
const ORDER_EXPIRY_MS = 60_000;
const RECONCILE_MS = 300_000;
const TASKS_MS = 1_000;
const INDEXES_MS = 60_000;
const LEASE_MS = 15_000;

/** The jobs that run on one replica at a time. */
export function createScheduler(deps: BillingDeps, foundations: Foundations, parts: Parts) {
  const { nowMs } = createClock(deps);
  const { collections, redis, log } = deps;
  const { barrier, balanceCache } = foundations;
  const publish = createRecordPublisher(deps);
  const openCalls = createOpenCalls({ redis, log });
  const openCallRecovery = createOpenCallRecovery({
    openCalls,
    barrier,
    publish,
    monotonicMs: () => performance.now(),
    log,
  });
  const sweep = createAccountSweep({ collections, balanceCache, nowMs });
  const indexMigration = createIndexMigration(collections);
  return createJobScheduler({
    lease: createLease({ store: createRedisLeaseStore(redis, "billing-housekeeping"), durationMs: LEASE_MS }),
    jobs: [
      { name: "dead relays", everyMs: JANITOR_MS, run: openCallRecovery.recoverDead },
      { name: "stale calls", everyMs: STALE_CALLS_MS, run: openCallRecovery.recoverStale },
      {
        name: "loaded balances",
        everyMs: STALE_CALLS_MS,
        run: createLoadedBalanceRepair({ redis, balanceCache, log }),
      },
      { name: "account sweep", everyMs: SWEEP_MS, run: sweep },
      { name: "balance order", everyMs: STALE_CALLS_MS, run: createBalanceOrderRepair(collections) },
      { name: "log retention", everyMs: LOG_RETENTION_MS, run: parts.retainLogs },
      { name: "log cleaner", everyMs: LOG_CLEANER_MS, run: parts.cleaner.sweep },
      { name: "token periods", everyMs: TOKEN_PERIODS_MS, run: parts.resetTokens },
      { name: "tasks", everyMs: TASKS_MS, run: parts.tasks.sweep },
      { name: "reconciliation", everyMs: deps.ledgerCheckEveryMs ?? RECONCILE_MS, run: createLedgerTotalsCheck(deps) },
      { name: "margins", everyMs: deps.ledgerCheckEveryMs ?? RECONCILE_MS, run: parts.checkMargins },
      ...parts.pricing.jobs,
      { name: "indexes", everyMs: INDEXES_MS, run: () => indexMigration.createRemaining(log) },
      { name: "order expiry", everyMs: ORDER_EXPIRY_MS, run: parts.money.payments.expireOrders },
    ],
    nowMs: () => performance.now(),
    log,
  });
}
