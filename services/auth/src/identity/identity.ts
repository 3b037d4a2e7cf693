import type { IdentityServiceServer } from "@turnpike/proto/auth/v1/identity_service";
import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { Handlers } from "@turnpike/shared/grpc/server";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Connection } from "mongoose";
import type { AccountOpenings } from "../account-openings/account-openings.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { createCodeStore } from "../codes/code-store.ts";
import { createTicketStore } from "../codes/ticket-store.ts";
import type { InvitationService } from "../rewards/invitation-service.ts";
import { createAttemptLimits } from "../limits/attempt-limits.ts";
import { createBindings } from "../oauth/bindings.ts";
import { createDirectSignIn } from "../oauth/direct-sign-in.ts";
import { createIdentities } from "../oauth/identities.ts";
import { oauthHandlers } from "../oauth/oauth-handlers.ts";
import { createOAuthService } from "../oauth/oauth-service.ts";
import { createOAuthStates } from "../oauth/oauth-states.ts";
import { github } from "../oauth/providers/github.ts";
import { linuxDo } from "../oauth/providers/linux-do.ts";
import { oidc } from "../oauth/providers/oidc.ts";
import type { OptionReader } from "../options/option-reader.ts";
import type { OptionStore } from "../options/option-store.ts";
import { createSecretReader } from "../options/secret-reader.ts";
import { passkeyHandlers } from "../passkeys/passkey-handlers.ts";
import { passkeyModel } from "../passkeys/passkey-model.ts";
import { createPasskeyService } from "../passkeys/passkey-service.ts";
import { createPasskeyStore } from "../passkeys/passkey-store.ts";
import { createEmailCodes } from "../registration/email-codes.ts";
import type { Mailer } from "../registration/mail.ts";
import { createNewAccounts } from "../registration/new-account.ts";
import { createPasswordReset } from "../registration/password-reset.ts";
import { registrationHandlers } from "../registration/registration-handlers.ts";
import { createRegistrationService } from "../registration/registration-service.ts";
import { sessionHandlers } from "../sessions/session-handlers.ts";
import { createSessionList } from "../sessions/session-list.ts";
import type { SessionService } from "../sessions/session-service.ts";
import type { SessionStore } from "../sessions/session-store.ts";
import { createSignInFinish } from "../sign-in/sign-in-finish.ts";
import { createTurnstile } from "../limits/turnstile.ts";
import { twoFactorHandlers } from "./two-factor-handlers.ts";
import { twoFactorModel } from "../two-factor/two-factor-model.ts";
import { createTwoFactorService } from "../two-factor/two-factor-service.ts";
import { createTwoFactorStore } from "../two-factor/two-factor-store.ts";
import type { UserChanges } from "../sessions/user-changes.ts";
import type { UserStore } from "../users/user-store.ts";
import type { Endpoints } from "../oauth/endpoints.ts";

/** Dependencies of the sign-in methods, provided by the rest of auth. */
export type IdentityDeps = {
  readonly mongo: Connection;
  readonly redis: Redis;
  readonly users: UserStore;
  readonly sessions: SessionService;
  readonly sessionStore: SessionStore;
  readonly changes: UserChanges;
  readonly openings: AccountOpenings;
  readonly invitations: InvitationService;
  readonly audit: AuditLog;
  readonly options: OptionReader;
  readonly createsFirstToken: boolean;
  readonly optionStore: OptionStore;
  readonly secretBox: SecretBox;
  readonly lookupHash: (secret: string) => string;
  readonly mailer: Mailer;
  /** The client for third-party calls, with the private-address guard. */
  readonly fetch: PrivateAddressGuard["fetch"];
  readonly endpoints: Endpoints;
  readonly log: Logger;
  readonly nowSeconds: () => number;
};

/**
 * Shared parts of all sign-in methods: tickets and limits in Redis, the Turnstile check, the second factor and the
 * final step.
 */
function createGround(deps: IdentityDeps) {
  const { redis, mongo, users, sessions, options, secretBox, lookupHash, nowSeconds } = deps;
  const limits = createAttemptLimits(redis);
  const tickets = createTicketStore(redis);
  const readSecret = createSecretReader({ store: deps.optionStore, secretBox });
  const verifyEndpoint = deps.endpoints.TURNSTILE_VERIFY_ENDPOINT;
  const turnstile = createTurnstile({ options, readSecret, tickets, fetch: deps.fetch, verifyEndpoint });
  const twoFactorStore = createTwoFactorStore(twoFactorModel(mongo));
  const twoFactorDeps = { store: twoFactorStore, secretBox, lookupHash, limits, options, nowMs: Date.now };
  const twoFactor = createTwoFactorService(twoFactorDeps);
  const finish = createSignInFinish({ users, sessions, twoFactor, tickets, limits, nowSeconds });
  return { limits, tickets, readSecret, turnstile, twoFactor, finish };
}

/** Wires the sign-in methods other than a plain password: their RPCs and what they share with password sign-in. */
export function createIdentity(deps: IdentityDeps) {
  const { redis, mongo, users, options, lookupHash, changes, sessions, endpoints, mailer } = deps;
  const ground = createGround(deps);
  const all = { ...deps, ...ground };
  const emailCodes = createEmailCodes({ ...all, mailer, codes: createCodeStore({ redis, lookupHash }) });
  const accounts = createNewAccounts(deps);
  const identities = createIdentities({ users, changes, accounts, options });
  const providers = { github: github(endpoints), linuxdo: linuxDo(endpoints), oidc: oidc() };
  const oauth = createOAuthService({ ...all, identities, providers, states: createOAuthStates(ground.tickets) });
  const passkeys = createPasskeyService({ ...all, store: createPasskeyStore(passkeyModel(mongo)) });
  const bindings = createBindings({ ...all, emailCodes, countPasskeys: passkeys.count });
  const handlers: Handlers<IdentityServiceServer> = {
    ...registrationHandlers({
      emailCodes,
      registration: createRegistrationService({ ...all, accounts, emailCodes }),
      passwordReset: createPasswordReset(all),
    }),
    ...oauthHandlers({ oauth, direct: createDirectSignIn({ ...all, identities }), bindings }),
    ...twoFactorHandlers(all),
    ...passkeyHandlers(passkeys),
    ...sessionHandlers(createSessionList({ store: deps.sessionStore, sessions, users, changes })),
  };
  return { finish: ground.finish, turnstile: ground.turnstile, handlers };
}
