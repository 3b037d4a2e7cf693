import { createSpendingNotifier } from "./accounts/spending-notifier.ts";
import { createLogCleaner } from "./logs/log-cleaner.ts";
import { createLogRetention } from "./logs/log-retention.ts";
import { createPricing } from "./pricing.ts";
import { createBelowCostCheck } from "./reports/below-cost.ts";
import { createOrphanTransactions } from "./recovery/orphan-transactions.ts";
import { createIncomingPayments } from "./incoming-payments.ts";
import { createTasks } from "./tasks/tasks.ts";
import { createTokenPeriods } from "./tokens/token-periods.ts";
import { createUsagePoster } from "./usage/usage-posting.ts";
import { createDeadLetters } from "./usage/dead-letters.ts";
import { createUsageAuthentication } from "./usage/usage-authentication.ts";
import { createUsageApplier } from "./usage/usage-applier.ts";
import { createUsageConsumer } from "./usage/usage-consumer.ts";
import { type BillingDeps, createClock, createFoundations, type Parts } from "./foundations.ts";
import { createScheduler } from "./jobs.ts";
import { createHandlers } from "./handlers.ts";

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
    money: createIncomingPayments({ ...deps, ...foundations, options: options.current, nowSeconds }),
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
