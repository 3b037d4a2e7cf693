import type { ChatRequest } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";
import type { Dialect, DialectCapabilities, EndpointRules, StreamWriter } from "../../core/call/dialect.ts";
import { writeOpenAiError } from "../openai-chat/openai-error.ts";
import { dataEvent } from "../shared/sse.ts";

/**
 * These calls are only sent to upstreams of the same format, so they are never converted to or from the internal form.
 */
function noConversion(): never {
  throw new RelayError("internal_error", "this endpoint has no other format");
}

/** An error event in OpenAI's format; non-streaming responses are passed through as bytes. */
const errorOnly = (writeError: Dialect["writeError"]): StreamWriter => ({
  write: () => "",
  fail: (error, requestId) => dataEvent(writeError(error, requestId)),
});

/** What the calls of an endpoint contain and how they are priced. */
export type PassThroughRules = Omit<EndpointRules, "isServedByChat"> &
  Partial<Pick<EndpointRules, "isServedByChat">> &
  Pick<Dialect, "readFields">;
type PassThroughOptions = DialectCapabilities & { readonly writeError?: Dialect["writeError"] };

/** A dialect whose calls and responses are always passed through. */
export function passThroughDialect(
  name: EndpointFormat,
  { readFields, ...rules }: PassThroughRules,
  { writeError = writeOpenAiError, ...capabilities }: PassThroughOptions = {},
): Dialect {
  return {
    ...capabilities,
    name,
    readFields,
    endpoint: { isServedByChat: false, ...rules },
    parseRequest: (): ChatRequest => noConversion(),
    writeResponse: noConversion,
    newStreamWriter: () => errorOnly(writeError),
    writeError,
  };
}
