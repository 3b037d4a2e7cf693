import type { AccountServiceServer } from "@turnpike/proto/billing/v1/account_service";
import type { CreditServiceServer } from "@turnpike/proto/billing/v1/credit_service";
import type { PriceBookServiceServer } from "@turnpike/proto/billing/v1/price_book_service";
import { createLookupHash, createSecretBox, type SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { Bus } from "@turnpike/shared/events/bus";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { Logger } from "@turnpike/shared/log/log";
import { withStoreErrors } from "@turnpike/shared/mongo/mongo-errors";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Connection } from "mongoose";
import { accessTokenHandlers } from "./access-tokens/access-token-handlers.ts";
import { createAccessTokenService } from "./access-tokens/access-token-service.ts";
import { createAccountOpenings } from "./account-openings/account-openings.ts";
import { auditHandlers } from "./audit/audit-handlers.ts";
import { type AuditLog, createAuditLog } from "./audit/audit-log.ts";
import { auditModel } from "./audit/audit-model.ts";
import { createAuditStore } from "./audit/audit-store.ts";
import { declaredHandlers } from "./declared/declared-handlers.ts";
import { declaredModel } from "./declared/declared-model.ts";
import { createSecretMarks } from "./declared/secret-marks.ts";
import { checkInModel } from "./rewards/check-in-model.ts";
import { createCheckInService } from "./rewards/check-in-service.ts";
import { createCreditOutbox } from "./rewards/credit-outbox.ts";
import type { Endpoints } from "./oauth/endpoints.ts";
import { createIdentity } from "./identity/identity.ts";
import { createInvitationService } from "./rewards/invitation-service.ts";
import { createFormerPrices } from "./options/legacy-prices.ts";
import { priceHistoryHandlers } from "./options/price-history-handlers.ts";
import { optionModel, optionRevisionModel } from "./options/option-models.ts";
import { optionHandlers } from "./options/option-handlers.ts";
import { secretOptionHandlers } from "./options/secret-option-handlers.ts";
import { createOptionReader, type OptionReader } from "./options/option-reader.ts";
import { createOptionService } from "./options/option-service.ts";
import { createOptionWriter } from "./options/option-writer.ts";
import { createOptionStore } from "./options/option-store.ts";
import { createKeySetFetch } from "./oidc-tokens/issuer-documents.ts";
import { oidcTokenHandlers } from "./oidc-tokens/oidc-token-handlers.ts";
import { createOidcTokens } from "./oidc-tokens/oidc-tokens.ts";
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
  /** PRIVATE_ADDRESS_ALLOWLIST. */
  readonly allowlist: readonly string[];
  readonly endpoints: Endpoints;
  readonly masterKey: string;
  /** Whether new users get a token (GENERATE_DEFAULT_TOKEN). */
  readonly createsFirstToken: boolean;
  readonly log: Logger;
};

const nowSeconds = (): number => Math.floor(Date.now() / 1000);

function createStores({ mongo, redis, billing, creditLedger, log }: Deps) {
  return {
    users: createUserStore(userModel(mongo)),
    options: createOptionStore({ options: optionModel(mongo), revisions: optionRevisionModel(mongo) }),
    setup: createSetupStore({ model: setupModel(mongo), nowSeconds }),
    openings: createAccountOpenings({ mongo, billing, log }),
    credits: createCreditOutbox({ mongo, billing: creditLedger, log }),
    audit: createAuditStore({ mongo, model: auditModel(mongo) }),
    sessions: createSessionStore({ redis, nowSeconds }),
  };
}

type Stores = ReturnType<typeof createStores>;

function createOptions(
  { mongo, bus, priceBook, log }: Deps,
  store: Stores["options"],
  { audit, secretBox }: { audit: AuditLog; secretBox: SecretBox },
) {
  const reader = createOptionReader({ store, log });
  const writer = createOptionWriter({ mongo, store, audit, bus, secretBox });
  const prices = createFormerPrices({ billing: priceBook, reader, store, bus, log });
  return { reader, writer, prices, options: createOptionService({ store, reader, writer }) };
}

function createRewards({ mongo }: Deps, { users, credits }: Stores, options: OptionReader) {
  const model = checkInModel(mongo);
  return {
    invitations: createInvitationService({ mongo, users, credits, options }),
    checkIns: createCheckInService({ mongo, model, credits, options, nowMs: Date.now }),
  };
}

/** Wires the service: its RPCs, the outbox loop and the startup step. */
export async function createAuth(deps: Deps) {
  const { mongo, redis, bus, checkAddress, masterKey, fetch, log } = deps;
  const stores = createStores(deps);
  const { users, openings, credits } = stores;
  const secretBox = createSecretBox(masterKey);
  const lookupHash = createLookupHash(masterKey);
  const audit = createAuditLog({ store: stores.audit, nowSeconds });
  const { reader, writer, prices, options } = createOptions(deps, stores.options, { audit, secretBox });
  const { invitations, checkIns } = createRewards(deps, stores, reader);
  const sessions = createSessionService({ sessions: stores.sessions, users, log });
  const passwords = await createPasswordCheck({ limits: createSignInFailureLimits(redis), options: reader });
  const changes = createUserChanges({ mongo, users, sessions, audit, bus });
  const admin = createUserAdmin({ mongo, users, changes, openings, options: reader, audit, nowSeconds });
  const self = createUserSelf({ users, changes, sessions, passwords, secretBox, checkAddress, nowSeconds });
  const rules = { users, sessions, changes, openings, invitations, audit, secretBox, lookupHash, nowSeconds };
  const stored = { options: reader, optionStore: stores.options, sessionStore: stores.sessions };
  const identity = createIdentity({ ...deps, ...rules, ...stored });
  const signIn = createSignInService({ ...identity, users, passwords, options: reader });
  const setup = createSetupService({
    mongo,
    store: stores.setup,
    users,
    openings,
    options: writer,
    nowSeconds,
  });
  const tokens = createAccessTokenService({ mongo, users, audit, lookupHash });
  const principals = createPrincipals({ users, options: reader });
  const fetchKeySet = createKeySetFetch(deps.allowlist);
  const oidcTokens = createOidcTokens({ options: reader, users, fetchKeySet, nowMs: Date.now, log });
  const marks = createSecretMarks({ store: stores.options, secretBox, lookupHash });
  return {
    handlers: withStoreErrors({
      ...setupHandlers(setup),
      ...signInHandlers({ signIn, sessions }),
      ...accessTokenHandlers(tokens),
      ...userHandlers({ admin, self, principals, openings }),
      ...optionHandlers({ options, prices, reader }),
      ...auditHandlers(audit),
    }),
    identity: withStoreErrors(identity.handlers),
    self: withStoreErrors(selfHandlers({ self, invitations, checkIns })),
    priceHistory: withStoreErrors(priceHistoryHandlers(prices)),
    site: withStoreErrors(siteHandlers({ options, reader, fetch })),
    secretOptions: withStoreErrors(secretOptionHandlers({ store: stores.options, secretBox })),
    oidcTokens: withStoreErrors(oidcTokenHandlers(oidcTokens)),
    declared: withStoreErrors(declaredHandlers({ model: declaredModel(mongo), secretBox, marks })),
    noticeTargets: withStoreErrors(noticeTargetHandlers(createNoticeTargets({ users, options: reader, secretBox }))),
    /** Billing's prices, kept in memory. */
    prices: { start: prices.start, stop: prices.stop },
    setup,
    openings,
    credits,
    /** Stores an audit row that another service sent. */
    storeAction: audit.store,
  };
}
