import { type FailureCause, getFailureCause } from "../../core/errors/failure-cause.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";

type Words = { readonly type: string; readonly code: string };

/** OpenAI's words for what its clients react to: they compact, wait, or give up. */
const WORDS: Readonly<Record<Exclude<FailureCause, "rate-limit">, Words>> = {
  "context-length": { type: "invalid_request_error", code: "context_length_exceeded" },
  quota: { type: "insufficient_quota", code: "insufficient_quota" },
  // Codex ends its task at OpenAI's own server_is_overloaded, and repeats the call at this one.
  overload: { type: "service_unavailable_error", code: "server_error" },
  "content-policy": { type: "invalid_request_error", code: "content_filter" },
};

/** Words of Anthropic's and Google's formats, numbers, and nothing at all; others are what OpenAI's clients may know. */
const FOREIGN_CODE = /^[\dA-Z_]*$/;
const FOREIGN_TYPE = /^([A-Z_]*|(rate_limit|overloaded|billing|api|timeout)_error|request_too_large)$/;

function getWords(cause: FailureCause, message: string): Words {
  if (cause !== "rate-limit") return WORDS[cause];
  return { type: /tokens? per/i.test(message) ? "tokens" : "requests", code: "rate_limit_exceeded" };
}

/** The type and the code of an upstream failure in OpenAI's words, where upstream has none that OpenAI's clients know. */
export function getOpenAiWords(error: RelayError): { readonly type: string; readonly code: string } {
  const { upstream, code: ownCode } = error;
  const { type, code, message } = upstream ?? { type: undefined, code: undefined, message: "" };
  const cause = getFailureCause(error);
  if (cause === undefined) return { type: type ?? "upstream_error", code: code ?? ownCode };
  const words = getWords(cause, message);
  const isForeign = FOREIGN_CODE.test(code ?? "");
  // Clients read the code alone; compatible providers report a prompt that is too long under many.
  const isTooLong = cause === "context-length" && code !== "string_above_max_length";
  return {
    type: type === undefined || FOREIGN_TYPE.test(type) ? words.type : type,
    code: isForeign || isTooLong ? words.code : (code ?? words.code),
  };
}
