import type { ChatRequest, ChatResponse, StreamPart } from "../chat/chat.ts";
import type { RelayError } from "../errors/relay-error.ts";
import type { WireFormat } from "../providers/provider.ts";

/** What an answer is told about the call it answers. `model` is the name the caller used. */
export type AnswerContext = {
  readonly requestId: string;
  readonly model: string;
  readonly includeUsage: boolean;
  readonly createdAtSeconds: number;
};

/** What a call's address says where the body does not (Gemini). */
export type PathFacts = { readonly model: string; readonly stream: boolean };

/** Turns parts into the dialect's stream bytes. */
export type StreamWriter = {
  /** Text for the wire, possibly empty. `finish` yields everything up to and including the end mark. */
  readonly write: (part: StreamPart) => string;
  /** An error after the first byte: the dialect's error event; no clean end mark follows. */
  readonly fail: (error: RelayError, requestId: string) => string;
};

/** One inbound format of the chat API. */
export type Dialect = {
  readonly name: WireFormat;
  /** Throws RelayError invalid_request with the wrong field in `param`. `body` is parsed JSON of any shape. */
  readonly parseRequest: (body: unknown, path: PathFacts) => ChatRequest;
  readonly writeResponse: (response: ChatResponse, context: AnswerContext) => unknown;
  readonly newStreamWriter: (context: AnswerContext) => StreamWriter;
  readonly writeError: (error: RelayError, requestId: string) => unknown;
};
