import type { AttemptLimit } from "./attempt-limits.ts";

const MINUTE = 60;
const limit = (name: string, max: number, minutes: number): AttemptLimit => ({
  name,
  max,
  windowSeconds: minutes * MINUTE,
});

/** Limits per address on what can be guessed or abused. Offices share an address, so each limit has headroom. */
export const ADDRESS_LIMITS = {
  register: limit("register", 20, 20),
  mail: limit("mail", 20, 20),
  codeCheck: limit("code-check", 30, 20),
  reset: limit("reset", 20, 20),
  oauthBegin: limit("oauth-begin", 120, 10),
  oauthFinish: limit("oauth-finish", 60, 10),
  /** WeChat account codes are short; correct ones do not count. */
  wechat: limit("wechat", 10, 10),
  passkey: limit("passkey", 60, 10),
  secondFactor: limit("second-factor-address", 50, 10),
} as const;

/** Limit on mails to one e-mail address. */
export const EMAIL_LIMITS = {
  pause: { name: "mail-pause", max: 1, windowSeconds: 30 },
  hourly: limit("mail-hourly", 10, 60),
} as const;

/** Wrong authenticator codes of one user; correct ones do not count. */
export const SECOND_FACTOR_OF_USER = limit("second-factor", 10, 10);
/** Attempts per pending sign-in. */
export const SECOND_FACTOR_OF_SIGN_IN = limit("second-factor-sign-in", 5, 10);
