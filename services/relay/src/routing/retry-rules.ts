import { isNoResponse, type RelayError, type UpstreamFailure } from "../core/errors/relay-error.ts";
import { findProvider } from "../providers/registry/providers.ts";

/** Statuses of a client error, which do not count against the channel: the caller's own request was at fault. */
export const CLIENT_ERROR_STATUSES = new Set([400, 404, 405, 413, 415, 422]);

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
/**
 * Only at the beginning: later, a message may quote the caller's text, and callers must not be able to disable a
 * channel.
 */
const KEY_REFUSED = /^(api[ _-]?key (is )?(not valid|invalid|expired)|(incorrect|invalid) api[ _-]?key\b)/i;

/**
 * Whether a failure means that the key or the account is unusable, by its code, its type, or a common message about
 * keys.
 */
export function refusesAccount({ code, type, message }: UpstreamFailure): boolean {
  return (
    (code !== undefined && DISABLING_CODES.has(code)) ||
    (type !== undefined && DISABLING_TYPES.has(type)) ||
    KEY_REFUSED.test(message)
  );
}

/**
 * Whether a failure may be retried on another channel. Network failures and 5xx, 429, 307, 401, 403, 404: yes; 400 only
 * from Anthropic, or if it is about the channel's key or account and not about the call (Google, xAI and Ali report
 * these with 400); 408, 504, 524 and 2xx: no. The relay's own failures (no `upstream`): never.
 */
export function isRetryable(error: RelayError, channelType: number): boolean {
  if (!error.upstream) return false;
  // No response at all: nothing was served, so nothing can be served twice.
  if (isNoResponse(error.upstream)) return true;
  const { status } = error;
  if (status === 400)
    return findProvider(channelType)?.failover?.retriesBadRequest === true || refusesAccount(error.upstream);
  if (status === 408 || status === 504 || status === 524) return false;
  return status < 200 || status > 299;
}

/**
 * Whether the failure would have occurred with any key of the channel: no response, or an internal error of upstream.
 */
export const isChannelFailure = ({ upstream, status }: RelayError): boolean =>
  upstream !== undefined && !refusesAccount(upstream) && (isNoResponse(upstream) || status >= 500);

const SAME_ACCOUNT_DELAY_MS = 250;
/** A caller would rather send the call again than wait longer. */
const SAME_ACCOUNT_DELAY_MAX_MS = 5_000;

/**
 * The milliseconds after which the same account is tried again, for a call that no other account can serve; undefined for failures
 * that do not pass soon. Doubled with each attempt, and at least what upstream requested.
 */
export function getSameAccountDelay({ upstream, status, retryAfterSeconds }: RelayError, attempts: number) {
  if (!upstream || refusesAccount(upstream)) return undefined;
  if (upstream.code !== "no_answer" && status !== 429 && status < 500) return undefined;
  const requestedMs = (retryAfterSeconds ?? upstream.retryAfterSeconds ?? 0) * 1000;
  const delayMs = Math.max(requestedMs, SAME_ACCOUNT_DELAY_MS * 2 ** (attempts - 1));
  return delayMs <= SAME_ACCOUNT_DELAY_MAX_MS ? delayMs : undefined;
}

/** The phrases of the option AutomaticDisableKeywords, one per line. */
export const parseDisablingKeywords = (option: string): string[] =>
  option
    .toLowerCase()
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");

/**
 * Whether a failure definitely means that the key or account is unusable (refused, out of money, closed). A phrase that
 * the caller's own `body` contains does not count: refusals quote what was sent, and callers must not be able to
 * disable a channel by their text.
 */
export function shouldDisableChannel(
  error: RelayError,
  channelType: number,
  keywords: readonly string[],
  body?: Readonly<Record<string, unknown>>,
): boolean {
  const { upstream, status } = error;
  if (!upstream) return false;
  if (status === 401 || (status === 403 && findProvider(channelType)?.failover?.forbiddenMeansBadKey === true))
    return true;
  if (refusesAccount(upstream)) return true;
  const message = upstream.message.toLowerCase();
  const matched = keywords.filter((keyword) => message.includes(keyword));
  if (matched.length === 0 || body === undefined) return matched.length > 0;
  const requested = JSON.stringify(body).toLowerCase();
  return matched.some((keyword) => !requested.includes(keyword));
}
