import type { ChatRequest } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";
import type { Dialect, EndpointRules, StreamWriter } from "../../core/call/dialect.ts";
import { writeOpenAiError } from "../openai-chat/openai-error.ts";
import { dataEvent } from "../shared/sse.ts";

/** These calls meet only upstreams of their own format, so nothing is ever read into or written from the internal form. */
function noConversion(): never {
  throw new RelayError("internal_error", "this endpoint knows no other format");
}

/** An error event in OpenAI's form; whole answers go through as bytes. */
const errorOnly = (writeError: Dialect["writeError"]): StreamWriter => ({
  write: () => "",
  fail: (error, requestId) => dataEvent(writeError(error, requestId)),
});

/** A dialect whose calls and answers always go through as they are. */
export function passThroughDialect(
  name: EndpointFormat,
  rules: Omit<EndpointRules, "servedByChat">,
  writeError: Dialect["writeError"] = writeOpenAiError,
): Dialect {
  return {
    name,
    endpoint: { ...rules, servedByChat: false },
    parseRequest: (): ChatRequest => noConversion(),
    writeResponse: noConversion,
    newStreamWriter: () => errorOnly(writeError),
    writeError,
  };
}
