import type { Json, StreamPart } from "../../../core/chat/chat.ts";
import { asObject, asObjects, asText, parseJson } from "../../../core/chat/json.ts";
import type { StreamEvent } from "../../../core/wire/stream.ts";

/** How long, and up to which size, events without content wait: some models think for minutes after them. */
const BUFFER_MS = 10_000;
const BUFFER_BYTES_MAX = 1024 * 1024;

/** Events that open or end a response and have no content. */
const BARE_EVENTS: ReadonlySet<string> = new Set([
  "message_start",
  "content_block_stop",
  "message_delta",
  "message_stop",
  "ping",
  "response.created",
  "response.queued",
  "response.in_progress",
  "keepalive",
]);
/** Events that open a part of a response, and the field that holds it. */
const PART_OPENINGS: Readonly<Record<string, string>> = {
  content_block_start: "content_block",
  "response.output_item.added": "item",
  "response.content_part.added": "part",
  "response.reasoning_summary_part.added": "part",
};
/** Parts that are empty when they are opened; others, such as calls of a provider's own tools, describe what the model does. */
const EMPTY_PARTS: ReadonlySet<string> = new Set([
  "text",
  "thinking",
  "message",
  "reasoning",
  "output_text",
  "refusal",
  "reasoning_text",
  "summary_text",
]);

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === "" || (Array.isArray(value) && value.length === 0);

/** Whether a chunk of OpenAI's chat format has any content, also of fields that are only passed through. */
const hasDelta = (chunk: Json): boolean =>
  asObjects(chunk["choices"]).some(
    ({ delta, text }) =>
      !isEmpty(text) ||
      Object.entries(asObject(delta) ?? {}).some(([name, value]) => name !== "role" && !isEmpty(value)),
  );

/** Whether a part of Google's format has more than an empty text. */
const hasPart = (chunk: Json): boolean =>
  asObjects(chunk["candidates"]).some(({ content }) =>
    asObjects(asObject(content)?.["parts"]).some((part) => Object.values(part).some((value) => !isEmpty(value))),
  );

/** Whether an event that passes through has content. */
function hasOwnContent({ event, data }: StreamEvent): boolean {
  const body = asObject(parseJson(data));
  if (!body) return false;
  const type = asText(body["type"]) ?? event;
  if (type === undefined || body["choices"] || body["candidates"]) return hasDelta(body) || hasPart(body);
  const field = PART_OPENINGS[type];
  if (field === undefined) return !BARE_EVENTS.has(type);
  return !EMPTY_PARTS.has(asText(asObject(body[field])?.["type"]) ?? "");
}

const isContent = ({ type }: StreamPart): boolean => type !== "start" && type !== "finish";

/**
 * Buffers the events at the start of a stream until one of them has content. Overloaded upstreams open a response and
 * then refuse it: until something was sent, another channel can serve the call.
 */
export class OpeningBuffer {
  readonly #onExpired: () => void;
  #isOver: boolean;
  #timer: NodeJS.Timeout | undefined;

  /** `onExpired` is called if only events without content arrive for too long. */
  constructor(isNeeded: boolean, onExpired: () => void) {
    this.#isOver = !isNeeded;
    this.#onExpired = onExpired;
  }

  isOver(): boolean {
    return this.#isOver;
  }

  /** An event was read; `event` is given if it passes through, where it may have content that is not parsed. */
  add(parts: readonly StreamPart[], event: StreamEvent | undefined): void {
    if (!this.#isOver && (parts.some(isContent) || (event && hasOwnContent(event)))) this.end();
  }

  /** Whether what was written so far may be sent. */
  allows(pendingBytes: number): boolean {
    if (this.#isOver || pendingBytes === 0) return true;
    if (pendingBytes > BUFFER_BYTES_MAX) this.end();
    else this.#timer ??= setTimeout(() => this.#expire(), BUFFER_MS);
    return this.#isOver;
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  #expire(): void {
    this.end();
    this.#onExpired();
  }
}
