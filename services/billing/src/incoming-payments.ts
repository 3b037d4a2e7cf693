import type { WorkStream } from "@turnpike/shared/events/work-stream";
import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { Bus, NatsConnection } from "@turnpike/shared/events/bus";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Connection } from "mongoose";
import type { AccountChanges } from "./accounts/account-changes.ts";
import type { CreditAccount } from "./accounts/account-credit.ts";
import { createRebates } from "./accounts/rebates.ts";
import type { Inviter } from "./auth-client/users.ts";
import { reconcileLedger } from "./reconciliation/ledger-reconciliation.ts";
import { reconcileBalanceCache } from "./reconciliation/balance-cache-reconciliation.ts";
import { createStreamProgress } from "./usage-stream/stream-progress.ts";
import type { RecordAudit } from "@turnpike/shared/audit/audit-recorder";
import type { KeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import type { SecretOptions } from "./auth-client/secret-options.ts";
import type { EventLog } from "./logs/event-log.ts";
import { createReconciliationRunner } from "./reconciliation/reconciliation-runner.ts";
import { createLedgerSearch } from "./ledger/ledger-search.ts";
import { createStatements } from "./ledger/statement.ts";
import { createEpayProvider } from "./payments/epay-provider.ts";
import { createOrderService } from "./payments/order-service.ts";
import { createOrderStore } from "./payments/order-store.ts";
import { createOrderRefund } from "./payments/order-refund.ts";
import { createOrderCredit } from "./payments/order-credit.ts";
import { createOrderDecision } from "./payments/order-decision.ts";
import { createOrderSettlement } from "./payments/order-settlement.ts";
import { createStripeProvider } from "./payments/stripe-provider.ts";
import { createCodeRedemption } from "./redemptions/code-redemption.ts";
import { createRedemptionBulk } from "./redemptions/redemption-bulk.ts";
import { createRedemptionService } from "./redemptions/redemption-service.ts";
import { createRedemptionStore } from "./redemptions/redemption-store.ts";
import { createRedemptionLimit } from "./redemptions/redemption-limit.ts";
import type { Collections } from "./store/collections.ts";

/** Dependencies of incoming payments. */
export type IncomingPaymentsDeps = {
  readonly connection: Connection;
  readonly collections: Collections;
  readonly redis: Redis;
  readonly nats: NatsConnection;
  readonly usageStream: WorkStream;
  readonly bus: Bus;
  readonly credit: CreditAccount;
  readonly changes: AccountChanges;
  readonly runExclusive: KeyedMutex;
  readonly eventLog: EventLog;
  readonly audit: RecordAudit;
  readonly options: () => OptionsInForce;
  /** Throws `unavailable` until the options are known: they decide what users pay and get. */
  readonly knownOptions: () => OptionsInForce;
  /** The user's inviter, undefined for none; throws `unavailable` when it cannot be read. */
  readonly findInviter: (userId: number) => Promise<Inviter | undefined>;
  readonly secretOptions: SecretOptions;
  readonly stripeApiUrl: string;
  /** For Epay's gateway, whose address administrators enter. */
  readonly guard: Pick<PrivateAddressGuard, "fetch">;
  readonly nowSeconds: () => number;
  readonly log: Logger;
};

/** An open order expires shortly after Stripe's own sessions do. */
const ORDER_OPEN_SECONDS = 25 * 3_600;

function createCodes(deps: IncomingPaymentsDeps) {
  const { connection, collections, audit, options, nowSeconds } = deps;
  const store = createRedemptionStore({ connection, collections });
  const rebates = createRebates({ ...deps, options: deps.knownOptions });
  return {
    codes: createRedemptionService({ connection, store, audit, options, nowSeconds }),
    bulk: createRedemptionBulk({ collections, audit }),
    redeem: createCodeRedemption({ ...deps, store, rebates, limit: createRedemptionLimit(deps.redis) }),
  };
}

function createPayments(deps: IncomingPaymentsDeps) {
  const { secretOptions: secrets, stripeApiUrl: apiUrl } = deps;
  const known = { ...deps, options: deps.knownOptions };
  const store = createOrderStore(deps);
  const rebates = createRebates(known);
  const providers = [
    createEpayProvider({ options: deps.knownOptions, secrets, guard: deps.guard }),
    createStripeProvider({ options: deps.knownOptions, secrets, apiUrl }),
  ];
  const creditOrder = createOrderCredit({ ...known, store, rebates });
  const settlement = createOrderSettlement({ ...known, providers, store, creditOrder });
  return {
    store,
    orders: createOrderService({ ...known, providers, store, rebates }),
    settlement,
    decision: createOrderDecision({ ...known, providers, store, creditOrder, settlement }),
    refund: createOrderRefund({ ...deps, store }),
    /** Expires unpaid orders; runs on one replica. */
    expireOrders: async (): Promise<void> => {
      await store.expire(deps.nowSeconds() - ORDER_OPEN_SECONDS);
    },
  };
}

function createLedger(deps: IncomingPaymentsDeps) {
  const { connection, collections, redis, nats, usageStream, log } = deps;
  const { isDrained } = createStreamProgress(nats, usageStream);
  return {
    search: createLedgerSearch(collections),
    statement: createStatements({ connection, collections }),
    checker: createReconciliationRunner({
      collections,
      check: async (findings) => {
        await reconcileLedger(connection, collections, findings);
        await reconcileBalanceCache({ redis, collections, findings, isDrained });
        findings.skip(
          "spools and write-ahead logs of relays: they are on the relays' disks, where ledger:check reads them",
        );
      },
      nowMs: Date.now,
      log,
    }),
  };
}

/** Wires codes, payments and the ledger. */
export const createIncomingPayments = (deps: IncomingPaymentsDeps) => ({
  codes: createCodes(deps),
  payments: createPayments(deps),
  ledger: createLedger(deps),
});
