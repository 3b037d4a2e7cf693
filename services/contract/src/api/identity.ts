import { z } from "zod";

/** The query parameter of a call guarded by the Turnstile check. */
export const TurnstileQuery = z.object({ turnstile: z.string().max(4096).default("") });

/** Query of `GET /api/verification` and `GET /api/reset_password`. */
export const MailCodeQuery = TurnstileQuery.extend({ email: z.string().trim().max(320).default("") });

/** Body of `POST /api/user/register`. */
export const RegisterBody = z.object({
  username: z.string().default(""),
  password: z.string().default(""),
  password2: z.string().optional(),
  email: z.string().trim().default(""),
  verification_code: z.string().trim().default(""),
  aff_code: z.string().trim().max(64).default(""),
});
export type RegisterBody = z.input<typeof RegisterBody>;

/** Body of `POST /api/user/reset`. */
export const ResetBody = z.object({ email: z.string().trim().default(""), token: z.string().trim().default("") });

/** Data of a sign-in that requires the second factor; no session is open yet. */
export const SecondFactorNeeded = z.object({ require_2fa: z.literal(true), methods: z.array(z.string()) });
export type SecondFactorNeeded = z.infer<typeof SecondFactorNeeded>;

/** Body of every call with an authenticator code or a recovery code. */
export const CodeBody = z.object({ code: z.string().trim().max(64).default("") });

/** Query of `GET /api/oauth/state`. */
export const OAuthStateQuery = z.object({ aff: z.string().trim().max(64).default("") });
/** Query of `GET /api/oauth/authorize`. */
export const OAuthAuthorizeQuery = OAuthStateQuery.extend({ provider: z.string().trim().max(20).default("") });
/** Data of `GET /api/oauth/authorize`: the redirect address. */
export const OAuthAuthorize = z.object({ url: z.string(), state: z.string() });
export type OAuthAuthorize = z.infer<typeof OAuthAuthorize>;
/** Query of a callback: everything the provider sent, as text. */
export const CallbackQuery = z.record(z.string().max(64), z.string().max(8192));
/** Query of `GET /api/oauth/email/bind`. */
export const EmailBindQuery = z.object({
  email: z.string().trim().max(320).default(""),
  code: z.string().trim().max(64).default(""),
});
/** Types accepted by `DELETE /api/user/bindings/{type}`. */
export const BINDING_TYPES = ["github", "oidc", "linuxdo", "wechat", "telegram", "email"] as const;
export const BindingParams = z.object({ type: z.string() });

/** Data of `GET /api/user/2fa/status`. */
export const TwoFactorStatus = z.object({
  enabled: z.boolean(),
  recovery_codes_left: z.int(),
  /** Unix seconds; 0 while it is off. */
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
  name: z.string().trim().default(""),
});
export const PasskeyParams = z.object({ passkey: z.string().min(1).max(1400) });
export const PasskeyNameBody = z.object({ name: z.string().trim().default("") });

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
export const SessionParams = z.object({ session: z.string().min(1).max(128) });
/** Body of `POST /api/user/sessions/revoke_all`. */
export const RevokeAllBody = z.object({ keep_current: z.boolean().default(false) });
