import type { RelayError, UpstreamFailure } from "../core/errors/relay-error.ts";

/** Anthropic's refusals differ from account to account, so they are worth another channel. */
const ANTHROPIC_TYPE = 14;

const DISABLING_CODES = new Set([
  "invalid_api_key",
  "account_deactivated",
  "billing_not_active",
  "pre_consume_token_quota_failed",
  "Arrearage",
  "API_KEY_INVALID",
]);
const DISABLING_TYPES = new Set([
  "insufficient_quota",
  "insufficient_user_quota",
  "authentication_error",
  "permission_error",
  "forbidden",
]);
/** Only at the beginning: further on, a message may quote what a caller wrote, who must not be able to close a channel. */
const KEY_REFUSED = /^(api[ _-]?key (is )?(not valid|invalid|expired)|(incorrect|invalid) api[ _-]?key\b)/i;

/** Does a failure say that the key or the account is unfit, by its code, its type, or the usual sentence about keys? */
export function refusesAccount({ code, type, message }: UpstreamFailure): boolean {
  return (
    (code !== undefined && DISABLING_CODES.has(code)) ||
    (type !== undefined && DISABLING_TYPES.has(type)) ||
    KEY_REFUSED.test(message)
  );
}

/**
 * May this failure be tried elsewhere? Network failures and 5xx, 429, 307, 401, 403, 404 yes; 400 only from Anthropic, and where it
 * is about the channel's key or account, not about the call (Google, xAI and Ali say so with 400); 408, 504, 524 and 2xx no. A
 * failure of our own (no `upstream`) never.
 */
export function isRetryable(error: RelayError, channelType: number): boolean {
  if (!error.upstream) return false;
  // No answer at all: nothing was served, so nothing can be served twice.
  if (error.upstream.code === "no_answer") return true;
  const { status } = error;
  if (status === 400) return channelType === ANTHROPIC_TYPE || refusesAccount(error.upstream);
  if (status === 408 || status === 504 || status === 524) return false;
  return status < 200 || status > 299;
}

/** Would the failure have come by any key of the channel? No answer, or an error of upstream's own. */
export const isChannelFailure = ({ upstream, status }: RelayError): boolean =>
  upstream !== undefined && !refusesAccount(upstream) && (upstream.code === "no_answer" || status >= 500);

const GEMINI_TYPE = 24;

/** The phrases of the option AutomaticDisableKeywords, one a line. */
export const parseDisablingKeywords = (option: string): string[] =>
  option
    .toLowerCase()
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/**
 * Does this failure say definitely that the key or account is unfit (refused, out of money, closed)? A phrase that the caller's own
 * `body` holds does not count: refusals quote what was sent, and no caller may close a channel by their words.
 */
export function shouldDisableChannel(
  error: RelayError,
  channelType: number,
  keywords: readonly string[],
  body?: Readonly<Record<string, unknown>>,
): boolean {
  const { upstream, status } = error;
  if (!upstream) return false;
  if (status === 401 || (status === 403 && channelType === GEMINI_TYPE)) return true;
  if (refusesAccount(upstream)) return true;
  const message = upstream.message.toLowerCase();
  const told = keywords.filter((keyword) => message.includes(keyword));
  if (told.length === 0 || body === undefined) return told.length > 0;
  const asked = JSON.stringify(body).toLowerCase();
  return told.some((keyword) => !asked.includes(keyword));
}
