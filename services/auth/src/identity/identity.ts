import type { SecretBox } from "@turnpike/shared/crypto/secret-box";
import type { PrivateAddressGuard } from "@turnpike/shared/http/private-address-guard";
import type { Logger } from "@turnpike/shared/log/log";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Connection } from "mongoose";
import type { AccountOpener } from "../accounts/account-opener.ts";
import type { OpeningStore } from "../accounts/opening-store.ts";
import type { AuditLog } from "../audit/audit-log.ts";
import { createCodeStore } from "../codes/code-store.ts";
import { createTicketStore } from "../codes/ticket-store.ts";
import type { InvitationService } from "../invitations/invitation-service.ts";
import { createAttemptLimits } from "../limits/attempt-limits.ts";
import type { OptionReader } from "../options/option-reader.ts";
import type { OptionStore } from "../options/option-store.ts";
import { createSecretReader } from "../options/secret-reader.ts";
import { createEmailCodes } from "../registration/email-codes.ts";
import type { Mailer } from "../registration/mail.ts";
import { createNewAccounts } from "../registration/new-account.ts";
import { createPasswordReset } from "../registration/password-reset.ts";
import { createRegistrationService } from "../registration/registration-service.ts";
import type { SessionService } from "../sessions/session-service.ts";
import { createSignInFinish } from "../sign-in/sign-in-finish.ts";
import { createTurnstile } from "../turnstile/turnstile.ts";
import { twoFactorModel } from "../two-factor/two-factor-model.ts";
import { createTwoFactorService } from "../two-factor/two-factor-service.ts";
import { createTwoFactorStore } from "../two-factor/two-factor-store.ts";
import type { UserChanges } from "../users/user-changes.ts";
import type { UserStore } from "../users/user-store.ts";
import type { Endpoints } from "./endpoints.ts";

/** What the ways in are made from; the rest of auth brings it. */
export type IdentityDeps = {
  readonly mongo: Connection;
  readonly redis: Redis;
  readonly users: UserStore;
  readonly sessions: SessionService;
  readonly changes: UserChanges;
  readonly openings: OpeningStore;
  readonly opener: AccountOpener;
  readonly invitations: InvitationService;
  readonly audit: AuditLog;
  readonly options: OptionReader;
  readonly optionStore: OptionStore;
  readonly secretBox: SecretBox;
  readonly lookupHash: (secret: string) => string;
  readonly mailer: Mailer;
  /** Calls to third parties, past the private-address guard. */
  readonly fetch: PrivateAddressGuard["fetch"];
  readonly endpoints: Endpoints;
  readonly log: Logger;
  readonly nowSeconds: () => number;
};

/** Joins the ways in beside a plain password, and the last step that all of them share. */
export function createIdentity(deps: IdentityDeps) {
  const { redis, mongo, users, sessions, changes, options, secretBox, lookupHash, nowSeconds, log } = deps;
  const limits = createAttemptLimits(redis);
  const tickets = createTicketStore(redis);
  const codes = createCodeStore({ redis, lookupHash });
  const readSecret = createSecretReader({ store: deps.optionStore, secretBox });
  const verifyEndpoint = deps.endpoints.TURNSTILE_VERIFY_ENDPOINT;
  const turnstile = createTurnstile({ options, readSecret, tickets, fetch: deps.fetch, verifyEndpoint });
  const twoFactorStore = createTwoFactorStore(twoFactorModel(mongo));
  const ofTwoFactor = { store: twoFactorStore, secretBox, lookupHash, limits, options, nowMs: Date.now };
  const twoFactor = createTwoFactorService(ofTwoFactor);
  const finish = createSignInFinish({ users, sessions, twoFactor, tickets, limits, nowSeconds });
  const mail = { users, limits, turnstile, options, mailer: deps.mailer };
  const emailCodes = createEmailCodes({ ...mail, codes });
  const passwordReset = createPasswordReset({ ...mail, changes, tickets, log });
  const accounts = createNewAccounts(deps);
  const registration = createRegistrationService({ users, accounts, emailCodes, limits, turnstile, options });
  return { finish, turnstile, twoFactor, emailCodes, passwordReset, registration };
}
