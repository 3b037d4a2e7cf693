import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { accountHandlers } from "./accounts/account-handlers.ts";
import { createAccountReader } from "./accounts/account-reader.ts";
import { createAccountService } from "./accounts/account-service.ts";
import { creditHandlers } from "./accounts/credit-handlers.ts";
import { createCreditService } from "./accounts/credit-service.ts";
import { createAccountLoader } from "./accounts/account-loader.ts";
import { withStoreErrors } from "@turnpike/shared/mongo/mongo-errors";
import { logHandlers } from "./logs/log-handlers.ts";
import { createLogReader } from "./logs/log-reader.ts";
import { createLogStatistics } from "./logs/log-statistics.ts";
import { createRollupReader } from "./logs/rollup-reader.ts";
import { createReports } from "./reports/reports.ts";
import { redemptionHandlers } from "./redemptions/redemption-handlers.ts";
import { ledgerHandlers } from "./ledger/ledger-handlers.ts";
import { paymentHandlers } from "./payments/payment-handlers.ts";
import { tokenHandlers } from "./tokens/token-handlers.ts";
import { createTokenService } from "./tokens/token-service.ts";
import { createTokenUsage } from "./tokens/token-usage.ts";
import { tokenUsageHandlers } from "./tokens/token-usage-handlers.ts";
import { createTokenStore } from "./tokens/token-store.ts";
import { type BillingDeps, createClock, type Foundations, type Parts } from "./foundations.ts";

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

/** The RPCs of every service that billing serves. */
export function createHandlers(deps: BillingDeps, foundations: Foundations, { cleaner, money, pricing, tasks }: Parts) {
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
