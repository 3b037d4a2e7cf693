import type { RelayError } from "./relay-error.ts";

/** What clients react to, in whatever words a provider reports it. */
export type FailureCause = "context-length" | "quota" | "rate-limit" | "overload" | "content-policy";

/**
 * How providers report a prompt that is too long: OpenAI's code, and the texts of Anthropic ("prompt is too long"), Google
 * ("input token count exceeds"), and compatible providers.
 */
export const CONTEXT_LENGTH =
  /context_length_exceeded|string_above_max_length|exceed_context_size|context[ _](length|window|size|limit)|maximum (context|prompt|input)|prompt is too long|input (is )?too long|too many (input |total )?tokens|input token count|exceeded model token limit|range of input length/i;
export const CONTENT_POLICY =
  /content_filter|content_policy|content (filtering|management) policy|safety|responsible_?ai|data_inspection_failed|prohibited_content|invalid_prompt/i;
const QUOTA = /insufficient_(user_)?(quota|balance)|billing|arrearage|payment_required/i;
const QUOTA_TEXT = /credit balance is too low|insufficient balance/i;
const RATE_LIMIT = /rate_?limit|resource_?exhausted|too_many_requests|throttl/i;
const OVERLOAD = /overload|slow_down|unavailable|capacity|busy/i;

/** The statuses with which a provider's text counts beside its codes. */
const EXPLAINED: ReadonlySet<number> = new Set([400, 413, 422, 503]);

const TESTS: readonly (readonly [FailureCause, (words: string, status: number, text: string) => boolean])[] = [
  ["quota", (words, status, text) => status === 402 || QUOTA.test(words) || QUOTA_TEXT.test(text)],
  ["context-length", (_words, _status, text) => CONTEXT_LENGTH.test(text)],
  ["rate-limit", (words, status) => status === 429 || RATE_LIMIT.test(words)],
  ["overload", (_words, status, text) => status === 529 || (status === 503 && OVERLOAD.test(text))],
  ["content-policy", (_words, status, text) => status < 500 && CONTENT_POLICY.test(text)],
];

/** The cause of a failure of upstream, by its words and status; undefined for others. */
export function getFailureCause({ upstream, status }: RelayError): FailureCause | undefined {
  if (!upstream) return undefined;
  const words = `${upstream.type ?? ""} ${upstream.code ?? ""}`;
  const text = EXPLAINED.has(status) ? `${words} ${upstream.message}` : words;
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
