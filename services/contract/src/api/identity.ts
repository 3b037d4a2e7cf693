import { z } from "zod/mini";
import { successSchema } from "./common.ts";
import { SignedInUser } from "./user.ts";

/** The query parameter of a call guarded by the Turnstile check. */
export const TurnstileQuery = z.object({ turnstile: z._default(z.string().check(z.maxLength(4096)), "") });

/** Query of `GET /api/verification` and `GET /api/reset_password`. */
export const MailCodeQuery = z.extend(TurnstileQuery, {
  email: z._default(z.string().check(z.trim(), z.maxLength(320)), ""),
});

/** Body of `POST /api/user/register`. */
export const RegisterBody = z.object({
  username: z._default(z.string(), ""),
  password: z._default(z.string(), ""),
  password2: z.optional(z.string()),
  email: z._default(z.string().check(z.trim()), ""),
  verification_code: z._default(z.string().check(z.trim()), ""),
  aff_code: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
});
export type RegisterBody = z.input<typeof RegisterBody>;

/** Body of `POST /api/user/reset`. */
export const ResetBody = z.object({
  email: z._default(z.string().check(z.trim()), ""),
  token: z._default(z.string().check(z.trim()), ""),
});

/** Data of a sign-in that requires the second factor; no session is open yet. */
export const SecondFactorNeeded = z.object({ require_2fa: z.literal(true), methods: z.array(z.string()) });
export type SecondFactorNeeded = z.infer<typeof SecondFactorNeeded>;

/** Data of every call that signs in: the user, or the second factor that is required first. */
export const SignInResult = z.union([SecondFactorNeeded, SignedInUser]);
export type SignInResult = z.infer<typeof SignInResult>;

/** Response of `GET /api/oauth/{provider}`: a sign-in, or null and the message `bind` for an account that was bound. */
export const OAuthResult = successSchema(z.nullable(SignInResult));

/** Body of every call with an authenticator code or a recovery code. */
export const CodeBody = z.object({ code: z._default(z.string().check(z.trim(), z.maxLength(64)), "") });

/** Query of `GET /api/oauth/state`. */
export const OAuthStateQuery = z.object({ aff: z._default(z.string().check(z.trim(), z.maxLength(64)), "") });
/** Query of `GET /api/oauth/authorize`. */
export const OAuthAuthorizeQuery = z.extend(OAuthStateQuery, {
  provider: z._default(z.string().check(z.trim(), z.maxLength(20)), ""),
});
/** Data of `GET /api/oauth/authorize`: the redirect address. */
export const OAuthAuthorize = z.object({ url: z.string(), state: z.string() });
export type OAuthAuthorize = z.infer<typeof OAuthAuthorize>;
/** Query of a callback: all parameters that the provider sent, as text. */
export const CallbackQuery = z.record(z.string().check(z.maxLength(64)), z.string().check(z.maxLength(8192)));
/** Query of `GET /api/oauth/email/bind`. */
export const EmailBindQuery = z.object({
  email: z._default(z.string().check(z.trim(), z.maxLength(320)), ""),
  code: z._default(z.string().check(z.trim(), z.maxLength(64)), ""),
});
/** Types accepted by `DELETE /api/user/bindings/{type}`. */
export const BINDING_TYPES = ["github", "oidc", "linuxdo", "wechat", "telegram", "email"] as const;
export const BindingParams = z.object({ type: z.string() });

/** Data of `GET /api/user/2fa/status`. */
export const TwoFactorStatus = z.object({
  enabled: z.boolean(),
  recovery_codes_left: z.int(),
  /** Unix seconds; 0 while two-factor sign-in is off. */
  enabled_at: z.int(),
});
export type TwoFactorStatus = z.infer<typeof TwoFactorStatus>;
/** Data of `POST /api/user/2fa/setup`. */
export const TwoFactorSetup = z.object({ secret: z.string(), otpauth_url: z.string() });
export type TwoFactorSetup = z.infer<typeof TwoFactorSetup>;
/** Data of `POST /api/user/2fa/enable` and `/recovery_codes`: shown only once. */
export const RecoveryCodes = z.object({ recovery_codes: z.array(z.string()) });
export type RecoveryCodes = z.infer<typeof RecoveryCodes>;

/** One of a user's passkeys, as `GET /api/user/passkey` lists them. */
export const Passkey = z.object({
  id: z.string(),
  name: z.string(),
  created_at: z.int(),
  /** 0 before first use. */
  last_used_at: z.int(),
  backed_up: z.boolean(),
});
export type Passkey = z.infer<typeof Passkey>;
/** Body of the two finishing calls of passkeys: the browser's WebAuthn response. */
export const PasskeyCredentialBody = z.object({
  credential: z.record(z.string(), z.unknown()),
  name: z._default(z.string().check(z.trim()), ""),
});
/** Data of the two beginning calls of passkeys: the options that the browser's WebAuthn call takes. */
export const PasskeyOptions = z.object({ options: z.record(z.string(), z.unknown()) });
export const PasskeyParams = z.object({ passkey: z.string().check(z.minLength(1), z.maxLength(1400)) });
export const PasskeyNameBody = z.object({ name: z._default(z.string().check(z.trim()), "") });

/** One open session, as `GET /api/user/sessions` lists them. */
export const OpenSession = z.object({
  id: z.string(),
  current: z.boolean(),
  address: z.string(),
  user_agent: z.string(),
  created_at: z.int(),
  last_seen_at: z.int(),
});
export type OpenSession = z.infer<typeof OpenSession>;
export const SessionParams = z.object({ session: z.string().check(z.minLength(1), z.maxLength(128)) });
/** Body of `POST /api/user/sessions/revoke_all`. */
export const RevokeAllBody = z.object({ keep_current: z._default(z.boolean(), false) });
