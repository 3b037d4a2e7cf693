import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { createAuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Bus, NatsConnection } from "@turnpike/shared/events/bus";
import { createLease } from "@turnpike/shared/lease/lease";
import { createRedisLeaseStore } from "@turnpike/shared/lease/redis-lease-store";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { StoreClock } from "@turnpike/shared/mongo/store-clock";
import type { UsageSigner } from "@turnpike/shared/crypto/usage-signature";
import type { Snapshot } from "@turnpike/shared/snapshot/snapshot";
import type { Connection } from "mongoose";
import { createAccountChanges } from "./accounts/account-changes.ts";
import { accountHandlers } from "./accounts/account-handlers.ts";
import { createBalanceCache } from "./accounts/balance-cache.ts";
import { createAccountReader } from "./accounts/account-reader.ts";
import { createAccountService } from "./accounts/account-service.ts";
import { createBalanceOrderRepair } from "./accounts/balance-order.ts";
import { createAccountSweep } from "./accounts/account-sweep.ts";
import { createAccountCredit } from "./accounts/account-credit.ts";
import { creditHandlers } from "./accounts/credit-handlers.ts";
import { createCreditService } from "./accounts/credit-service.ts";
import type { Inviter } from "./auth-client/users.ts";
import { createAccountLoader } from "./accounts/account-loader.ts";
import { createSpendingNotifier } from "./accounts/spending-notifier.ts";
import { createAuditRecorder } from "@turnpike/shared/audit/audit-recorder";
import type { SecretOptions } from "./auth-client/secret-options.ts";
import { createKeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { withStoreErrors } from "@turnpike/shared/mongo/mongo-errors";
import { createEventLog } from "./logs/event-log.ts";
import { createLogCleaner } from "./logs/log-cleaner.ts";
import { logHandlers } from "./logs/log-handlers.ts";
import { createLogRetention } from "./logs/log-retention.ts";
import { createLogReader } from "./logs/log-reader.ts";
import { createLogStatistics } from "./logs/log-statistics.ts";
import { createLogState } from "./logs/log-state.ts";
import { createRollupReader } from "./logs/rollup-reader.ts";
import type { FormerPrices } from "./prices/takeover-plan.ts";
import { createPricing, type PricingDeps } from "./pricing.ts";
import { createBelowCostCheck } from "./reports/below-cost.ts";
import { createReports } from "./reports/reports.ts";
import { createJobScheduler } from "./recovery/job-scheduler.ts";
import { createOpenCallRecovery } from "./recovery/open-call-recovery.ts";
import { createLoadedBalanceRepair } from "./recovery/loaded-balances.ts";
import { createOrphanTransactions } from "./recovery/orphan-transactions.ts";
import { createOpenCalls } from "./recovery/open-calls.ts";
import { redemptionHandlers } from "./redemptions/redemption-handlers.ts";
import { createLedgerTotalsCheck } from "./reconciliation/ledger-totals.ts";
import { ledgerHandlers } from "./ledger/ledger-handlers.ts";
import { createMoney } from "./incoming-payments.ts";
import { paymentHandlers } from "./payments/payment-handlers.ts";
import type { Collections } from "./store/collections.ts";
import { createIndexMigration } from "./store/index-migration.ts";
import { createTasks, type Tasks } from "./tasks/tasks.ts";
import { tokenHandlers } from "./tokens/token-handlers.ts";
import { createTokenService } from "./tokens/token-service.ts";
import { createTokenStatusUpdater } from "./tokens/token-status.ts";
import { createTokenPeriods } from "./tokens/token-periods.ts";
import { createTokenUsage } from "./tokens/token-usage.ts";
import { tokenUsageHandlers } from "./tokens/token-usage-handlers.ts";
import { createTokenStore } from "./tokens/token-store.ts";
import { createUsagePoster } from "./usage/usage-posting.ts";
import { createDeadLetters } from "./usage/dead-letters.ts";
import { createStreamBarrier } from "./usage-stream/stream-barrier.ts";
import { createUsageAuthentication } from "./usage/usage-authentication.ts";
import { createUsageApplier } from "./usage/usage-applier.ts";
import { createUsageConsumer } from "./usage/usage-consumer.ts";
import { createUsagePublisher } from "./usage-stream/record-publisher.ts";
import { getUsageStream } from "./usage-stream/usage-stream.ts";

export type BillingDeps = {
  readonly connection: Connection;
  /** The time that budgets are reset by. */
  readonly storeClock: StoreClock;
  readonly collections: Collections;
  readonly redis: Redis;
  readonly nats: NatsConnection;
  readonly bus: Bus;
  readonly namespace: string;
  readonly masterKey: string;
  /** Signs usage messages, with the relays. */
  readonly signer: UsageSigner;
  readonly options: Pick<Snapshot<OptionsInForce>, "current" | "isLoaded">;
  /** A user's name for the log; "" when it cannot be read. */
  readonly getUsername: (userId: number) => Promise<string>;
  /** The user's inviter, undefined for none; throws `unavailable` when it cannot be read. */
  readonly findInviter: (userId: number) => Promise<Inviter | undefined>;
  /** Requests auth to open an account that it owes the user. */
  readonly openPendingAccount: (userId: number) => Promise<void>;
  readonly secretOptions: SecretOptions;
  /** The prices that a version before stored at auth. */
  readonly readFormerPrices: () => Promise<FormerPrices>;
  /** For catalogues of prices and the payment gateway, whose addresses administrators enter. */
  readonly guard: Pick<PrivateAddressGuard, "fetch">;
  /** The report keys of channels, and the reports of their providers. */
  readonly channelReports: PricingDeps["channelReports"];
  /** Address of Stripe's API. */
  readonly stripeApiUrl: string;
  /** Interval of the full reconciliation; five minutes by default. */
  readonly ledgerCheckEveryMs?: number;
  readonly log: Logger;
};

/** Well below a relay's timeout for loading an account. */
const LOAD_TIMEOUT_MS = 10_000;
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

/** The time of everything that is stored or compared with what is stored. */
function createClock({ storeClock: { nowMs } }: BillingDeps) {
  return { nowMs, nowSeconds: (): number => Math.floor(nowMs() / 1000) };
}

/** Dependencies shared by most parts. */
function createFoundations(deps: BillingDeps) {
  const { nowMs, nowSeconds } = createClock(deps);
  const { connection, collections, redis, bus, options, log } = deps;
  const usageStream = getUsageStream(deps.namespace);
  const balanceCache = createBalanceCache({ redis, collections, log });
  const { nats, namespace } = deps;
  const auditOutbox = createAuditOutbox({ mongo: connection, nats, namespace, source: "billing", log });
  const runExclusive = createKeyedMutex();
  return {
    balanceCache,
    barrier: createStreamBarrier({ nats: deps.nats, work: usageStream, timeoutMs: LOAD_TIMEOUT_MS }),
    usageStream,
    changes: createAccountChanges({ balanceCache, bus, log }),
    credit: createAccountCredit({ collections, nowMs }),
    runExclusive,
    eventLog: createEventLog({ connection, collections, nowSeconds }),
    auditOutbox,
    audit: createAuditRecorder(auditOutbox),
    statuses: createTokenStatusUpdater({ collections, bus, nowSeconds }),
    logState: createLogState(collections),
    /** Options that decide a user's request must be known, not assumed. */
    knownOptions: (): OptionsInForce => {
      if (!options.isLoaded()) throw new AppError("unavailable", "the options are not loaded yet");
      return options.current();
    },
  };
}
type Foundations = ReturnType<typeof createFoundations>;

function createTokens(deps: BillingDeps, { statuses, changes, knownOptions }: Foundations) {
  const { connection, collections, masterKey, bus } = deps;
  return createTokenService({
    store: createTokenStore({ connection, tokens: collections.tokens }),
    statuses,
    changes,
    secretBox: createSecretBox(masterKey),
    hashKey: createLookupHash(masterKey),
    bus,
    options: knownOptions,
    nowMs: deps.storeClock.nowMs,
  });
}

/** Objects shared by handlers and jobs. */
type Parts = {
  readonly cleaner: ReturnType<typeof createLogCleaner>;
  readonly retainLogs: ReturnType<typeof createLogRetention>;
  readonly money: ReturnType<typeof createMoney>;
  readonly pricing: ReturnType<typeof createPricing>;
  readonly resetTokens: ReturnType<typeof createTokenPeriods>;
  readonly tasks: Tasks;
  readonly checkMargins: () => Promise<void>;
};

function createHandlers(deps: BillingDeps, foundations: Foundations, { cleaner, money, pricing, tasks }: Parts) {
  const { nowSeconds } = createClock(deps);
  const { connection, collections, getUsername } = deps;
  const { audit, barrier, logState, balanceCache } = foundations;
  const options = deps.options.current;
  const load = createAccountLoader({ barrier, balanceCache, openPendingAccount: deps.openPendingAccount });
  const accountDeps = { ...foundations, connection, collections, options, getUsername };
  const accounts = createAccountService(accountDeps);
  const tokens = createTokens(deps, foundations);
  return {
    credit: withStoreErrors(creditHandlers(createCreditService(accountDeps))),
    account: withStoreErrors(
      accountHandlers({ accounts, reader: createAccountReader(collections), load, giveFirstToken: tokens.giveFirst }),
    ),
    task: withStoreErrors(tasks.handlers),
    token: withStoreErrors(tokenHandlers(tokens, audit)),
    tokenUsage: withStoreErrors(
      tokenUsageHandlers(createTokenUsage({ collections, options: foundations.knownOptions, nowSeconds })),
    ),
    redemption: withStoreErrors(redemptionHandlers(money.codes)),
    ledger: withStoreErrors(ledgerHandlers(money.ledger)),
    payment: withStoreErrors(paymentHandlers(money.payments)),
    log: withStoreErrors(
      logHandlers({
        list: createLogReader({ collections, state: logState, nowSeconds }),
        stat: createLogStatistics({ collections, state: logState, nowSeconds }),
        rollups: createRollupReader(collections),
        cleaner,
        audit,
        nowSeconds,
      }),
    ),
    report: withStoreErrors(createReports({ collections, hashKey: createLookupHash(deps.masterKey) })),
    ...pricing.handlers,
  };
}

function createScheduler(deps: BillingDeps, foundations: Foundations, parts: Parts) {
  const { nowMs } = createClock(deps);
  const { collections, redis, log } = deps;
  const { barrier, balanceCache } = foundations;
  const publish = createUsagePublisher(deps);
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

export type Billing = ReturnType<typeof createBilling>;

/** Wires the service: its RPCs, the usage consumer, and the jobs that run on one replica at a time. */
export function createBilling(deps: BillingDeps) {
  const { nowMs, nowSeconds } = createClock(deps);
  const { connection, collections, nats, options, log } = deps;
  const foundations = createFoundations(deps);
  const { balanceCache, usageStream, statuses, logState } = foundations;
  const parts: Parts = {
    cleaner: createLogCleaner({ collections, state: logState, nowMs }),
    retainLogs: createLogRetention({ state: logState, options: options.current, nowSeconds }),
    money: createMoney({ ...deps, ...foundations, options: options.current, nowSeconds }),
    pricing: createPricing({ ...deps, ...foundations, nowMs, nowSeconds }),
    resetTokens: createTokenPeriods({ ...deps, changes: foundations.changes, nowMs }),
    tasks: createTasks({ ...deps, ...foundations, options: options.current, nowMs }),
    checkMargins: createBelowCostCheck({ collections, options: options.current, bus: deps.bus, nowSeconds }),
  };
  const isLogged = (): boolean => options.current().flag("LogConsumeEnabled");
  const poster = createUsagePoster({ connection, collections, isLogged, nowMs });
  const deadLetters = createDeadLetters({ collections, log });
  const spent = createSpendingNotifier({ accounts: collections.accounts, bus: deps.bus, log });
  const watched = spent.watching(balanceCache);
  const post = createUsageApplier({ poster, balanceCache: watched, tokenStatus: statuses, deadLetters, log });
  const apply = createUsageAuthentication({ ...deps, apply: post });
  return {
    handlers: createHandlers(deps, foundations, parts),
    consumer: createUsageConsumer({ nats, work: usageStream, apply, signer: deps.signer, log }),
    spent,
    scheduler: createScheduler(deps, foundations, parts),
    orphans: createOrphanTransactions({ connection, log }),
    priceBook: parts.pricing.book,
    priceTakeover: parts.pricing.takeover,
    stopReports: parts.pricing.reportJob.stop,
    /** Sends audit rows to auth, including those an earlier process left. */
    audit: { start: foundations.auditOutbox.start, stop: foundations.auditOutbox.stop },
    /** Housekeeping jobs that may be run manually. */
    jobs: {
      checkCatalogue: parts.pricing.checkCatalogue,
      checkDueReports: parts.pricing.reportJob.checkDueReports,
      checkMargins: parts.checkMargins,
      expireOrders: parts.money.payments.expireOrders,
      resetTokens: parts.resetTokens,
      retainLogs: parts.retainLogs,
      sweepLogs: parts.cleaner.sweep,
    },
  };
}
