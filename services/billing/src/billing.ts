import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import { createAuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Bus, NatsConnection } from "@turnpike/shared/events/bus";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Snapshot } from "@turnpike/shared/snapshot/snapshot";
import type { Connection } from "mongoose";
import { createAccountChanges } from "./accounts/account-changes.ts";
import { accountHandlers } from "./accounts/account-handlers.ts";
import { createBalanceCache } from "./accounts/balance-cache.ts";
import { createAccountReader } from "./accounts/account-reader.ts";
import { createAccountService } from "./accounts/account-service.ts";
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
import { createPriceBook, type FormerPrices } from "./prices/price-book.ts";
import { priceBookHandlers } from "./prices/price-book-handlers.ts";
import { createPriceBookStore } from "./prices/price-book-store.ts";
import { createPriceHistory } from "./prices/price-history.ts";
import { priceListHandlers } from "./prices/price-list-handlers.ts";
import { createPriceTakeover } from "./prices/price-takeover.ts";
import { createReports } from "./reports/reports.ts";
import { createJobScheduler } from "./recovery/job-scheduler.ts";
import { createOpenCallRecovery } from "./recovery/open-call-recovery.ts";
import { createLease } from "./recovery/lease.ts";
import { createOrphanTransactions } from "./recovery/orphan-transactions.ts";
import { createOpenCalls } from "./recovery/open-calls.ts";
import { redemptionHandlers } from "./redemptions/redemption-handlers.ts";
import { createLedgerTotalsCheck } from "./reconciliation/ledger-totals.ts";
import { ledgerHandlers } from "./ledger/ledger-handlers.ts";
import { createMoney } from "./money.ts";
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
import { createUsageApplier } from "./usage/usage-applier.ts";
import { createUsageConsumer } from "./usage/usage-consumer.ts";
import { createUsagePublisher } from "./usage-stream/usage-publisher.ts";
import { usageStreamNames } from "./usage-stream/usage-stream.ts";

export type BillingDeps = {
  readonly connection: Connection;
  readonly collections: Collections;
  readonly redis: Redis;
  readonly nats: NatsConnection;
  readonly bus: Bus;
  readonly namespace: string;
  readonly masterKey: string;
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
const BOOKS_MS = 300_000;
const TASKS_MS = 1_000;
const INDEXES_MS = 60_000;
const LEASE_MS = 15_000;

const nowMs = (): number => Date.now();
const nowSeconds = (): number => Math.floor(Date.now() / 1000);

/** Since when Redis has responded without interruption. */
function watchRedis(redis: Redis): () => number {
  let upSinceMs = Date.now();
  redis.on("ready", () => {
    upSinceMs = Date.now();
  });
  return () => upSinceMs;
}

/** Dependencies shared by most parts. */
function createFoundations(deps: BillingDeps) {
  const { connection, collections, redis, bus, options, log } = deps;
  const names = usageStreamNames(deps.namespace);
  const balanceCache = createBalanceCache({ redis, collections, log });
  const { nats, namespace } = deps;
  const auditOutbox = createAuditOutbox({ mongo: connection, nats, namespace, source: "billing", log });
  const runExclusive = createKeyedMutex();
  const priceHistory = createPriceHistory({ connection, collections, nowSeconds });
  const priceBook = createPriceBook({
    connection,
    store: createPriceBookStore(collections),
    history: priceHistory,
    outbox: auditOutbox,
    bus,
    runExclusive,
    log,
  });
  return {
    priceBook,
    priceHistory,
    balanceCache,
    barrier: createStreamBarrier({ nats: deps.nats, names, timeoutMs: LOAD_TIMEOUT_MS }),
    names,
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
      if (!options.isLoaded()) throw new AppError("unavailable", "the options are not known yet");
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
    nowMs,
  });
}

/** Objects shared by handlers and jobs. */
type Parts = {
  readonly cleaner: ReturnType<typeof createLogCleaner>;
  readonly retainLogs: ReturnType<typeof createLogRetention>;
  readonly money: ReturnType<typeof createMoney>;
  readonly resetTokens: ReturnType<typeof createTokenPeriods>;
  readonly tasks: Tasks;
};

function createHandlers(deps: BillingDeps, foundations: Foundations, { cleaner, money, tasks }: Parts) {
  const { connection, collections, getUsername } = deps;
  const { audit, barrier, logState, balanceCache } = foundations;
  const options = deps.options.current;
  const load = createAccountLoader({ barrier, balanceCache, openPendingAccount: deps.openPendingAccount });
  const booking = { ...foundations, connection, collections, options, getUsername };
  const accounts = createAccountService(booking);
  const tokens = createTokens(deps, foundations);
  return {
    credit: withStoreErrors(creditHandlers(createCreditService(booking))),
    account: withStoreErrors(
      accountHandlers({ accounts, reader: createAccountReader(collections), load, giveFirstToken: tokens.giveFirst }),
    ),
    task: withStoreErrors(tasks.handlers),
    token: withStoreErrors(tokenHandlers(tokens)),
    tokenUsage: withStoreErrors(
      tokenUsageHandlers(createTokenUsage({ collections, options: foundations.knownOptions })),
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
    pricing: withStoreErrors(priceListHandlers(foundations.knownOptions)),
    priceBook: withStoreErrors(priceBookHandlers({ book: foundations.priceBook, history: foundations.priceHistory })),
  };
}

function createScheduler(deps: BillingDeps, foundations: Foundations, parts: Parts) {
  const { collections, redis, log } = deps;
  const { barrier, balanceCache } = foundations;
  const publish = createUsagePublisher(deps);
  const openCalls = createOpenCalls({ redis, log });
  const openCallRecovery = createOpenCallRecovery({
    openCalls,
    barrier,
    publish,
    redisUpSinceMs: watchRedis(redis),
    nowMs,
    log,
  });
  const sweep = createAccountSweep({ collections, balanceCache, nowMs });
  const indexMigration = createIndexMigration(collections);
  return createJobScheduler({
    lease: createLease({ redis, name: "billing-housekeeping", durationMs: LEASE_MS }),
    jobs: [
      { name: "dead relays", everyMs: JANITOR_MS, run: openCallRecovery.recoverDead },
      { name: "stale calls", everyMs: STALE_CALLS_MS, run: openCallRecovery.recoverStale },
      { name: "account sweep", everyMs: SWEEP_MS, run: sweep },
      { name: "log retention", everyMs: LOG_RETENTION_MS, run: parts.retainLogs },
      { name: "log cleaner", everyMs: LOG_CLEANER_MS, run: parts.cleaner.sweep },
      { name: "token periods", everyMs: TOKEN_PERIODS_MS, run: parts.resetTokens },
      { name: "tasks", everyMs: TASKS_MS, run: parts.tasks.sweep },
      { name: "books", everyMs: deps.ledgerCheckEveryMs ?? BOOKS_MS, run: createLedgerTotalsCheck(deps) },
      { name: "indexes", everyMs: INDEXES_MS, run: () => indexMigration.createRemaining(log) },
      { name: "order expiry", everyMs: ORDER_EXPIRY_MS, run: parts.money.payments.expireOrders },
    ],
    nowMs,
    log,
  });
}

export type Billing = ReturnType<typeof createBilling>;

/** Wires the service: its RPCs, the usage consumer, and the jobs that run on one replica at a time. */
export function createBilling(deps: BillingDeps) {
  const { connection, collections, nats, options, log } = deps;
  const foundations = createFoundations(deps);
  const { balanceCache, names, statuses, logState } = foundations;
  const parts: Parts = {
    cleaner: createLogCleaner({ collections, state: logState, nowMs }),
    retainLogs: createLogRetention({ state: logState, options: options.current, nowSeconds }),
    money: createMoney({ ...deps, ...foundations, options: options.current, nowSeconds }),
    resetTokens: createTokenPeriods({ ...deps, changes: foundations.changes, nowMs }),
    tasks: createTasks({ ...deps, ...foundations, options: options.current, nowMs }),
  };
  const isLogged = (): boolean => options.current().flag("LogConsumeEnabled");
  const poster = createUsagePoster({ connection, collections, isLogged, nowMs });
  const deadLetters = createDeadLetters({ collections, log });
  const spent = createSpendingNotifier({ accounts: collections.accounts, bus: deps.bus, log });
  const watched = spent.watching(balanceCache);
  const apply = createUsageApplier({ poster, balanceCache: watched, tokenStatus: statuses, deadLetters, log });
  return {
    handlers: createHandlers(deps, foundations, parts),
    consumer: createUsageConsumer({ nats, names, apply, log }),
    spent,
    scheduler: createScheduler(deps, foundations, parts),
    orphans: createOrphanTransactions({ connection, log }),
    priceBook: foundations.priceBook,
    priceTakeover: createPriceTakeover({
      book: foundations.priceBook,
      readFormer: deps.readFormerPrices,
      bus: deps.bus,
      log,
    }),
    /** Sends audit rows to auth, including those an earlier process left. */
    audit: { start: foundations.auditOutbox.start, stop: foundations.auditOutbox.stop },
    /** Housekeeping jobs that may be run manually. */
    jobs: {
      expireOrders: parts.money.payments.expireOrders,
      resetTokens: parts.resetTokens,
      retainLogs: parts.retainLogs,
      sweepLogs: parts.cleaner.sweep,
    },
  };
}
