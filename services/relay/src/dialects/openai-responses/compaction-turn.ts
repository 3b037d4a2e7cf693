import type { ChatRequest, ChatResponse, Json, StreamPart } from "../../core/chat/chat.ts";
import type { ResponseContext, StreamWriter } from "../../core/call/dialect.ts";
import { asList, asObject } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { typedEvent } from "../shared/sse.ts";
import { toSummaryRequest, writeCompactionItem } from "./compact.ts";
import { COMPACTION_TRIGGER, endedResponse } from "./responses-wire.ts";
import { FAILED, toFailedResponse } from "./response-failure.ts";
import { type Emit, startEvents } from "./stream-items.ts";

type Finish = Extract<StreamPart, { type: "finish" }>;

/**
 * Whether a call of the Responses API requests a compaction: its input ends with a trigger, and its response is the one item that
 * replaces the conversation. Codex compacts so, with streams. Models without compaction write a summary, as for
 * `/v1/responses/compact` (docs/decisions/080).
 */
export const isCompactionTurn = (body: Json | undefined): boolean =>
  asObject(asList(body?.["input"]).at(-1))?.["type"] === COMPACTION_TRIGGER;

/** Requests the summary. Tools, format and reasoning of the turn do not apply to it. Throws invalid_request. */
export const parseCompactionTurn = ({
  tools: _tools,
  tool_choice: _choice,
  text: _text,
  reasoning: _reasoning,
  ...body
}: Json): ChatRequest => toSummaryRequest({ ...body, input: asList(body["input"]).slice(0, -1) });

/** Writes a `response` object of one item. A summary that was cut contains a remark about it, so that the response is complete. */
export const writeCompactionTurn = (response: ChatResponse, context: ResponseContext): unknown =>
  endedResponse(context, {
    output: [writeCompactionItem(response, context)],
    reason: "stop",
    usage: response.usage,
  });

/** The same as a stream: the item follows once the summary is complete, since it is encrypted as a whole. */
export class CompactionStreamWriter implements StreamWriter {
  readonly #context: ResponseContext;
  readonly #texts: string[] = [];
  #number = 0;

  constructor(context: ResponseContext) {
    this.#context = context;
  }

  write(part: StreamPart): string {
    if (part.type === "start") return startEvents(this.#context, this.#emit);
    if (part.type === "text-delta") this.#texts.push(part.text);
    return part.type === "finish" ? this.#finish(part) : "";
  }

  fail(error: RelayError, requestId: string): string {
    const begun = this.#number === 0 ? startEvents(this.#context, this.#emit) : "";
    const response = toFailedResponse(this.#context, error, { created: undefined, output: [], requestId });
    return begun + this.#emit(FAILED, { response });
  }

  readonly #emit: Emit = (type, data) => typedEvent({ type, sequence_number: this.#number++, ...data });

  #finish({ reason: finishReason, usage }: Finish): string {
    try {
      const parts = [{ type: "text" as const, text: this.#texts.join("") }];
      const item = writeCompactionItem({ parts, finishReason }, this.#context);
      const response = endedResponse(this.#context, { output: [item], reason: "stop", usage });
      return (
        this.#emit("response.output_item.added", { output_index: 0, item }) +
        this.#emit("response.output_item.done", { output_index: 0, item }) +
        this.#emit("response.completed", { response })
      );
    } catch (error) {
      if (error instanceof RelayError) return this.fail(error, this.#context.requestId);
      throw error;
    }
  }
}
