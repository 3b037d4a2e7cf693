import type { AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import type { CreditServiceServer } from "@turnpike/proto/billing/v1/credit_service";
import type { PriceBookServiceServer } from "@turnpike/proto/billing/v1/price_book_service";
import { createLookupHash, createSecretBox } from "@turnpike/shared/crypto/secret-box";
import type { Bus } from "@turnpike/shared/events/bus";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { Logger } from "@turnpike/shared/log/log";
import { withStoreErrors } from "@turnpike/shared/mongo/mongo-errors";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Connection } from "mongoose";
import { accessTokenHandlers } from "./access-tokens/access-token-handlers.ts";
import { createAccessTokenService } from "./access-tokens/access-token-service.ts";
import { createAccountOpener } from "./account-openings/account-opener.ts";
import { openingModel } from "./account-openings/opening-model.ts";
import { createOpeningStore } from "./account-openings/opening-store.ts";
import { auditHandlers } from "./audit/audit-handlers.ts";
import { createAuditLog } from "./audit/audit-log.ts";
import { auditModel } from "./audit/audit-model.ts";
import { createAuditStore } from "./audit/audit-store.ts";
import { checkInModel } from "./rewards/check-in-model.ts";
import { createCheckInService } from "./rewards/check-in-service.ts";
import { creditModel } from "./rewards/credit-model.ts";
import { createCreditSender } from "./rewards/credit-sender.ts";
import { createCreditStore } from "./rewards/credit-store.ts";
import type { Endpoints } from "./oauth/endpoints.ts";
import { createIdentity } from "./identity/identity.ts";
import { createInvitationService } from "./rewards/invitation-service.ts";
import { createFormerPrices } from "./options/former-prices.ts";
import { priceHistoryHandlers } from "./options/price-history-handlers.ts";
import { optionModel, optionRevisionModel } from "./options/option-models.ts";
import { optionHandlers } from "./options/option-handlers.ts";
import { secretOptionHandlers } from "./options/secret-option-handlers.ts";
import { createOptionReader } from "./options/option-reader.ts";
import { createOptionService } from "./options/option-service.ts";
import { createOptionStore } from "./options/option-store.ts";
import { selfHandlers } from "./user-management/self-handlers.ts";
import type { Mailer } from "./registration/mail.ts";
import { createSessionService } from "./sessions/session-service.ts";
import { createSessionStore } from "./sessions/session-store.ts";
import { setupHandlers } from "./setup/setup-handlers.ts";
import { setupModel } from "./setup/setup-model.ts";
import { createSetupService } from "./setup/setup-service.ts";
import { createSetupStore } from "./setup/setup-store.ts";
import { createSignInFailureLimits } from "./sign-in/failure-limits.ts";
import { createPasswordCheck } from "./sign-in/password-check.ts";
import { signInHandlers } from "./sign-in/sign-in-handlers.ts";
import { createSignInService } from "./sign-in/sign-in-service.ts";
import { noticeTargetHandlers } from "./users/notice-target-handlers.ts";
import { createNoticeTargets } from "./users/notice-targets.ts";
import { createPrincipals } from "./users/principal.ts";
import { siteHandlers } from "./admin-lookups/site-handlers.ts";
import { createUserAdmin } from "./user-management/user-admin.ts";
import { createUserChanges } from "./sessions/user-changes.ts";
import { userHandlers } from "./user-management/user-handlers.ts";
import { userModel } from "./users/user-model.ts";
import { createUserSelf } from "./user-management/user-self.ts";
import { createUserStore } from "./users/user-store.ts";

type Deps = {
  readonly mongo: Connection;
  readonly redis: Redis;
  readonly bus: Bus;
  readonly billing: Pick<GrpcClient<AccountServiceServer>, "openAccount">;
  readonly creditLedger: Pick<GrpcClient<CreditServiceServer>, "addCredit">;
  readonly priceBook: Pick<GrpcClient<PriceBookServiceServer>, "getPriceBook" | "changePrices" | "listPriceChanges">;
  readonly mailer: Mailer;
  /** The client for third-party calls, with the private-address guard, and the third parties' addresses. */
  readonly fetch: PrivateAddressGuard["fetch"];
  readonly checkAddress: PrivateAddressGuard["check"];
  readonly endpoints: Endpoints;
  readonly masterKey: string;
  /** Whether new users get a token (GENERATE_DEFAULT_TOKEN). */
  readonly createsFirstToken: boolean;
  readonly log: Logger;
};

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

function createStores({ mongo, redis }: Deps) {
  return {
    users: createUserStore(userModel(mongo)),
    options: createOptionStore({ options: optionModel(mongo), revisions: optionRevisionModel(mongo) }),
    setup: createSetupStore({ model: setupModel(mongo), nowSeconds }),
    openings: createOpeningStore({ model: openingModel(mongo), nowMs: Date.now }),
    credits: createCreditStore({ model: creditModel(mongo), nowMs: Date.now }),
    audit: createAuditStore({ mongo, model: auditModel(mongo) }),
    sessions: createSessionStore({ redis, nowSeconds }),
  };
}

/** Wires the service: its RPCs, the outbox loop and the startup step. */
export async function createAuth(deps: Deps) {
  const { mongo, redis, bus, billing, creditLedger, checkAddress, masterKey, log } = deps;
  const { users, openings, credits, ...stores } = createStores(deps);
  const secretBox = createSecretBox(masterKey);
  const audit = createAuditLog({ store: stores.audit, nowSeconds });
  const reader = createOptionReader({ store: stores.options, log });
  const prices = createFormerPrices({ billing: deps.priceBook, reader, store: stores.options, bus, log });
  const options = createOptionService({ mongo, store: stores.options, reader, audit, bus, secretBox });
  const sessions = createSessionService({ sessions: stores.sessions, users, log });
  const passwords = await createPasswordCheck({ limits: createSignInFailureLimits(redis), options: reader });
  const opener = createAccountOpener({ store: openings, billing, log });
  const sender = createCreditSender({ store: credits, billing: creditLedger, log });
  const changes = createUserChanges({ mongo, users, sessions, audit, bus });
  const admin = createUserAdmin({ mongo, users, changes, openings, opener, options: reader, audit, nowSeconds });
  const self = createUserSelf({ users, changes, sessions, passwords, secretBox, checkAddress, nowSeconds });
  const invitations = createInvitationService({ mongo, users, credits, sender, options: reader });
  const lookupHash = createLookupHash(masterKey);
  const shared = {
    mongo,
    redis,
    users,
    sessions,
    changes,
    openings,
    opener,
    invitations,
    audit,
    secretBox,
    nowSeconds,
    log,
  };
  const { mailer, fetch, endpoints, createsFirstToken } = deps;
  const ofStores = { options: reader, optionStore: stores.options, sessionStore: stores.sessions };
  const identity = createIdentity({ ...shared, ...ofStores, lookupHash, mailer, fetch, endpoints, createsFirstToken });
  const signIn = createSignInService({ ...identity, users, passwords, options: reader });
  const checkIns = createCheckInService({
    mongo,
    model: checkInModel(mongo),
    credits,
    sender,
    options: reader,
    nowMs: Date.now,
  });
  const setup = createSetupService({ mongo, store: stores.setup, users, openings, opener, options, nowSeconds });
  const tokens = createAccessTokenService({ mongo, users, audit, lookupHash });
  const principals = createPrincipals({ users, options: reader });
  return {
    handlers: withStoreErrors({
      ...setupHandlers(setup),
      ...signInHandlers({ signIn, sessions }),
      ...accessTokenHandlers(tokens),
      ...userHandlers({ admin, self, principals, opener }),
      ...optionHandlers({ options, prices, reader }),
      ...auditHandlers(audit),
    }),
    identity: withStoreErrors(identity.handlers),
    self: withStoreErrors(selfHandlers({ self, invitations, checkIns })),
    priceHistory: withStoreErrors(priceHistoryHandlers(prices)),
    site: withStoreErrors(siteHandlers({ options, reader, fetch })),
    secretOptions: withStoreErrors(secretOptionHandlers({ store: stores.options, secretBox })),
    noticeTargets: withStoreErrors(noticeTargetHandlers(createNoticeTargets({ users, options: reader, secretBox }))),
    /** Billing's prices, kept in memory. */
    prices: { start: prices.start, stop: prices.stop },
    setup,
    opener,
    sender,
    /** Stores an audit row that another service sent. */
    keepAction: audit.keep,
  };
}
