import type { ChatResponse } from "../chat/chat.ts";
import type { StreamReader } from "../wire/stream.ts";

/** The site's content policy as it applies to one call: the output filter, the transcript for the log, or both. */
export type CallContent = {
  /** Whether the output filter is on: such a response is parsed and rewritten, never passed through. */
  readonly filtersOutput: boolean;
  /** A reader whose parts may go to the client; a forbidden response ends with the finish reason `content-filter`. */
  readonly filterStream: (reader: StreamReader) => StreamReader;
  /** The same for streams that can only pass through as bytes. The reader throws RelayError `content_filter`. */
  readonly filterRawStream: (reader: StreamReader) => StreamReader;
  /** The response with what the policy masks or cuts; the same object when nothing changes. */
  readonly filterResponse: (response: ChatResponse) => ChatResponse;
  /** The log row's fields for prompt and response; undefined when content logging is off. */
  readonly toLogFields: () => Record<string, unknown> | undefined;
};
