import type { ChatRequest, ChatResponse, Json, StreamPart } from "../../core/chat/chat.ts";
import type { ResponseContext, StreamWriter } from "../../core/call/dialect.ts";
import { asObject, asText } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { typedEvent } from "../shared/sse.ts";
import { readSummary, toSummaryCall } from "../shared/summary.ts";
import { writeAnthropicError } from "./anthropic-error.ts";
import { parseAnthropicRequest } from "./anthropic-request.ts";
import { messageStart } from "./anthropic-stream.ts";
import { anthropicUsage, messageId } from "./anthropic-wire.ts";
import { getToolChanges } from "./tool-changes.ts";

const FIELD = "compaction";

/**
 * Whether a call requests a summary of its conversation: its response is the one block that replaces the conversation. Source:
 * Anthropic API reference, "Create a Message", `compaction`.
 */
export const isSummaryCall = (body: Json | undefined): boolean => asObject(body?.[FIELD])?.["type"] === "summarize";

/** Requests the summary from a model without compaction; tools, format and thinking do not apply to it. Throws invalid_request. */
export function parseSummaryCall({
  tools: _tools,
  tool_choice: _choice,
  thinking: _thinking,
  output_config: _output,
  output_format: _format,
  ...body
}: Json): ChatRequest {
  const instructions = asText(asObject(body[FIELD])?.["instructions"])?.trim();
  const { tools: _added, webSearch: _search, ...request } = parseAnthropicRequest(body);
  return toSummaryCall(request, instructions || undefined);
}

/** The block that replaces the conversation, with the changes of tools that it takes the place of. */
function writeBlock(response: Pick<ChatResponse, "parts" | "finishReason">, { requested }: ResponseContext): Json {
  const tool_changes = getToolChanges(requested ?? {});
  return { type: FIELD, content: readSummary(response), encrypted_content: null, tool_changes };
}

/** Writes a `message` of one block. Throws upstream_error if there is no summary. */
export const writeSummary = (response: ChatResponse, context: ResponseContext): unknown => ({
  id: messageId(response.id, context.requestId),
  type: "message",
  role: "assistant",
  model: context.model,
  content: [writeBlock(response, context)],
  stop_reason: FIELD,
  stop_sequence: null,
  usage: anthropicUsage(response.usage),
});

type Finish = Extract<StreamPart, { type: "finish" }>;

/** The same as a stream: the block is sent once the summary is complete, since one that failed must not replace anything. */
export class SummaryStreamWriter implements StreamWriter {
  readonly #context: ResponseContext;
  readonly #texts: string[] = [];
  #isStarted = false;

  constructor(context: ResponseContext) {
    this.#context = context;
  }

  write(part: StreamPart): string {
    if (part.type === "start") return this.#start(part);
    if (part.type === "text-delta") this.#texts.push(part.text);
    return part.type === "finish" ? this.#start({ id: "" }) + this.#finish(part) : "";
  }

  fail(error: RelayError, requestId: string): string {
    return typedEvent(writeAnthropicError(error, requestId));
  }

  #start(part: Parameters<typeof messageStart>[0]): string {
    if (this.#isStarted) return "";
    this.#isStarted = true;
    return messageStart(part, this.#context);
  }

  #finish({ reason: finishReason, usage }: Finish): string {
    try {
      const parts = [{ type: "text" as const, text: this.#texts.join("") }];
      const { content, encrypted_content, ...block } = writeBlock({ parts, finishReason }, this.#context);
      const delta = { type: "compaction_delta", content, encrypted_content };
      return [
        { type: "content_block_start", index: 0, content_block: { ...block, content: null, encrypted_content: null } },
        { type: "content_block_delta", index: 0, delta },
        { type: "content_block_stop", index: 0 },
        {
          type: "message_delta",
          delta: { stop_reason: FIELD, stop_sequence: null },
          usage: anthropicUsage(usage),
        },
        { type: "message_stop" },
      ]
        .map(typedEvent)
        .join("");
    } catch (error) {
      if (error instanceof RelayError) return this.fail(error, this.#context.requestId);
      throw error;
    }
  }
}
