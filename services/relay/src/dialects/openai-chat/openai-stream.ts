import { toMarkdownMedia } from "../shared/response-media.ts";
import type { StreamPart } from "../../core/chat/chat.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import type { ResponseContext, StreamWriter } from "../../core/call/dialect.ts";
import { dataEvent } from "../shared/sse.ts";
import { writeOpenAiError } from "./openai-error.ts";
import { readInput } from "../../core/vendors/custom-input.ts";
import { getCustomNames } from "./openai-tools.ts";
import { createReasoningDeltas } from "./openai-reasoning.ts";
import { annotationsField } from "./openai-web-search.ts";
import { callsFunctions, finishWord, openAiUsage, signatureField } from "./openai-wire.ts";

type ToolStart = Extract<StreamPart, { type: "tool-call-start" }>;
type Finish = Extract<StreamPart, { type: "finish" }>;

/** The call format that a caller reads. */
type CallForm = {
  readonly start: (call: ToolStart) => object | undefined;
  readonly more: (index: number, argumentsText: string) => object | undefined;
  /** What is known once the calls are complete. */
  readonly end: () => readonly object[];
};

/** Calls of functions, and of custom tools, whose text is known once the arguments that hold it are complete. */
function asTools(custom: ReadonlySet<unknown>): CallForm {
  const inputs = new Map<number, string>();
  const write = (index: number, call: object) => ({ tool_calls: [{ index, ...call }] });
  return {
    start({ index, id, name, signature }) {
      if (custom.has(name)) inputs.set(index, "");
      const called = custom.has(name)
        ? { type: "custom", custom: { name, input: "" } }
        : { type: "function", function: { name, arguments: "" } };
      return write(index, { id, ...called, ...signatureField(signature) });
    },
    more(index, argumentsText) {
      const held = inputs.get(index);
      if (held === undefined) return write(index, { function: { arguments: argumentsText } });
      inputs.set(index, held + argumentsText);
      return undefined;
    },
    end: () => [...inputs].map(([index, held]) => write(index, { custom: { input: readInput(held) } })),
  };
}

/** The legacy format has one call only. */
const AS_FUNCTION: CallForm = {
  start: ({ index, name }) => (index === 0 ? { function_call: { name, arguments: "" } } : undefined),
  more: (index, argumentsText) => (index === 0 ? { function_call: { arguments: argumentsText } } : undefined),
  end: () => [],
};

const getHead = (id: string, { createdAtSeconds, model }: ResponseContext) => ({
  id,
  object: "chat.completion.chunk",
  created: createdAtSeconds,
  model,
});

/** Writes chunks of text from their fixed parts, without an object: most chunks of most streams are of text. */
function createTextChunks(context: ResponseContext) {
  let opening = "";
  let openingId: string | undefined;
  const closing = `},"logprobs":null,"finish_reason":null}]${context.includeUsage ? ',"usage":null' : ""}}\n\n`;
  return (id: string, text: string): string => {
    if (id !== openingId) {
      opening = `data: ${JSON.stringify(getHead(id, context)).slice(0, -1)},"choices":[{"index":0,"delta":{"content":`;
      openingId = id;
    }
    return opening + JSON.stringify(text) + closing;
  };
}

/** `chat.completion.chunk` events; the usage chunk is sent if and only if the caller requested it. */
export function newOpenAiStreamWriter(context: ResponseContext): StreamWriter {
  // Callers parse the arguments as JSON: a call without arguments must send `{}`.
  const bareCalls = new Set<number>();
  const calls = callsFunctions(context) ? AS_FUNCTION : asTools(getCustomNames(context.requested));
  const reasoning = createReasoningDeltas();
  let id = `chatcmpl-${context.requestId}`;
  const head = () => getHead(id, context);
  const unknownUsage = context.includeUsage ? { usage: null } : {};
  const chunk = (delta: object, finishReason: string | null = null): string =>
    dataEvent({
      ...head(),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...unknownUsage,
    });
  const textChunk = createTextChunks(context);
  const toolDelta = (index: number, argumentsText: string): string => {
    if (argumentsText !== "") bareCalls.delete(index);
    const delta = calls.more(index, argumentsText);
    return delta ? chunk(delta) : "";
  };
  const finish = (part: Finish): string => {
    const bare = [...bareCalls].map((index) => toolDelta(index, "{}")).join("");
    const ends = calls.end().map((delta) => chunk(delta));
    const last = bare + ends.join("") + chunk(annotationsField(part.citations), finishWord(part.reason, context));
    const usage = context.includeUsage ? dataEvent({ ...head(), choices: [], usage: openAiUsage(part.usage) }) : "";
    return `${last}${usage}data: [DONE]\n\n`;
  };
  return {
    write(part: StreamPart): string {
      switch (part.type) {
        case "start":
          id = part.id || id;
          return chunk({ role: "assistant", content: "", refusal: null });
        case "text-delta":
          return part.isRefusal ? chunk({ refusal: part.text }) : textChunk(id, part.text);
        case "media":
          return textChunk(id, toMarkdownMedia(part));
        case "reasoning-delta":
          reasoning.add(part.text);
          return chunk({ reasoning_content: part.text });
        case "reasoning-signature":
          return chunk(reasoning.signed(part.signature));
        case "redacted-reasoning":
          return chunk(reasoning.redacted(part.data));
        case "tool-call-start": {
          bareCalls.add(part.index);
          const delta = calls.start(part);
          return delta ? chunk(delta) : "";
        }
        case "tool-call-delta":
          return toolDelta(part.index, part.argumentsText);
        case "other-output":
          return "";
        case "finish":
          return finish(part);
      }
    },
    fail: (error: RelayError, requestId: string): string => dataEvent(writeOpenAiError(error, requestId)),
  };
}
