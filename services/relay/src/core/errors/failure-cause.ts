import type { RelayError } from "./relay-error.ts";

/** What clients react to, in whatever words a provider reports it. */
export type FailureCause = "context-length" | "quota" | "rate-limit" | "overload" | "content-policy";

/**
 * How providers report a prompt that is too long, in their codes and in sentences that have no other meaning: errors about other
 * fields name the context and safety as well.
 */
const LENGTH_CODE = /context_length_exceeded|string_above_max_length|exceed_context_size|request_too_large/i;
const LENGTH_TEXT =
  /maximum (context|prompt) length|context (length|window|size)|exceed context limit|(prompt|input) is too long|too many (input |total )?tokens|input token count|exceeded model token limit|range of input length|reduce the length of (the|your) (messages|prompt|input)/i;
const POLICY_CODE =
  /content_filter|(content|bio|cyber)_policy|responsible_?ai|data_inspection_failed|prohibited_content|invalid_prompt/i;
const POLICY_TEXT =
  /content (filtering|management|policy)|content_policy|usage polic|safety (system|filter)|blocked by the provider/i;

const QUOTA = /insufficient_(user_)?(quota|balance)|billing|arrearage|payment_required/i;
const QUOTA_TEXT = /credit balance is too low|insufficient balance/i;
const RATE_LIMIT = /rate_?limit|resource_?exhausted|too_many_requests|throttl/i;
const OVERLOAD = /overload|slow_down|unavailable|capacity|busy/i;

/** The statuses with which a provider's text counts in addition to its codes. */
const EXPLAINED: ReadonlySet<number> = new Set([400, 413, 422, 503]);

const TESTS: readonly (readonly [FailureCause, (words: string, status: number, text: string) => boolean])[] = [
  ["quota", (words, status, text) => status === 402 || QUOTA.test(words) || QUOTA_TEXT.test(text)],
  ["context-length", (words, _status, text) => LENGTH_CODE.test(words) || LENGTH_TEXT.test(text)],
  ["rate-limit", (words, status) => status === 429 || RATE_LIMIT.test(words)],
  ["overload", (words, status, text) => status === 529 || (status === 503 && OVERLOAD.test(`${words} ${text}`))],
  ["content-policy", (words, status, text) => status < 500 && (POLICY_CODE.test(words) || POLICY_TEXT.test(text))],
];

/** The cause of a failure of upstream, by its words and status; undefined for others. */
export function getFailureCause({ upstream, status }: RelayError): FailureCause | undefined {
  if (!upstream) return undefined;
  const words = `${upstream.type ?? ""} ${upstream.code ?? ""}`;
  const text = EXPLAINED.has(status) ? upstream.message : "";
  return TESTS.find(([, isCause]) => isCause(words, status, text))?.[0];
}

const LIMIT =
  /(?:maximum (?:context|prompt|input)[a-z ]*?(?: is| of)|tokens allowed|only supports up to|> ?|limit(?: of| is)?:?)[ (]*(\d{3,})/i;

/** The tokens of a prompt that is too long, and the model's limit, where a provider's text has both. */
export function readTokenCounts(message: string): { readonly used: number; readonly limit: number } | undefined {
  const limit = Number(LIMIT.exec(message)?.[1]);
  const used = Math.max(...Array.from(message.matchAll(/\d{3,}/g), ([digits]) => Number(digits)));
  return used > limit ? { used, limit } : undefined;
}
