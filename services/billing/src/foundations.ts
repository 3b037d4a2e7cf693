import type { OptionsInForce } from "@turnpike/contract/options/options-in-force";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import { createAuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { Bus, NatsConnection } from "@turnpike/shared/events/bus";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { StoreClock } from "@turnpike/shared/mongo/store-clock";
import type { UsageSigner } from "@turnpike/shared/crypto/usage-signature";
import type { Snapshot } from "@turnpike/shared/snapshot/snapshot";
import type { Connection } from "mongoose";
import { createAccountChanges } from "./accounts/account-changes.ts";
import { createBalanceCache } from "./accounts/balance-cache.ts";
import { createAccountCredit } from "./accounts/account-credit.ts";
import type { Inviter } from "./auth-client/users.ts";
import { createAuditRecorder } from "@turnpike/shared/audit/audit-recorder";
import type { SecretOptions } from "./auth-client/secret-options.ts";
import { createKeyedMutex } from "@turnpike/shared/concurrency/keyed-mutex";
import { createEventLog } from "./logs/event-log.ts";
import { createLogState } from "./logs/log-state.ts";
import type { FormerPrices } from "./prices/takeover-plan.ts";
import type { createLogCleaner } from "./logs/log-cleaner.ts";
import type { createLogRetention } from "./logs/log-retention.ts";
import type { createPricing, PricingDeps } from "./pricing.ts";
import type { createIncomingPayments } from "./incoming-payments.ts";
import type { createTokenPeriods } from "./tokens/token-periods.ts";
import type { Tasks } from "./tasks/tasks.ts";
import type { Collections } from "./store/collections.ts";
import { createTokenStatusUpdater } from "./tokens/token-status.ts";
import { createStreamBarrier } from "./usage-stream/stream-barrier.ts";
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

/** The time of everything that is stored or compared with what is stored. */
export function createClock({ storeClock: { nowMs } }: BillingDeps) {
  return { nowMs, nowSeconds: (): number => Math.floor(nowMs() / 1000) };
}

/** Dependencies shared by most parts. */
export function createFoundations(deps: BillingDeps) {
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

export type Foundations = ReturnType<typeof createFoundations>;

/** Objects shared by handlers and jobs. */
export type Parts = {
  readonly cleaner: ReturnType<typeof createLogCleaner>;
  readonly retainLogs: ReturnType<typeof createLogRetention>;
  readonly money: ReturnType<typeof createIncomingPayments>;
  readonly pricing: ReturnType<typeof createPricing>;
  readonly resetTokens: ReturnType<typeof createTokenPeriods>;
  readonly tasks: Tasks;
  readonly checkMargins: () => Promise<void>;
};
