import { mediaAsText } from "../../chat/answer-media.ts";
import type { StreamPart } from "../../chat/chat.ts";
import type { RelayError } from "../../errors/relay-error.ts";
import type { AnswerContext, StreamWriter } from "../dialect.ts";
import { dataEvent } from "../sse.ts";
import { writeOpenAiError } from "./openai-error.ts";
import { annotationsField } from "./openai-web-search.ts";
import { OPENAI_FINISH, openAiUsage, signatureField } from "./openai-wire.ts";

type ToolStart = Extract<StreamPart, { type: "tool-call-start" }>;
type Finish = Extract<StreamPart, { type: "finish" }>;

const toolStart = ({ index, id, name, signature }: ToolStart) => ({
  tool_calls: [{ index, id, type: "function", function: { name, arguments: "" }, ...signatureField(signature) }],
});

/** `chat.completion.chunk` events; the usage chunk only for callers who asked for it, and then always. */
export function newOpenAiStreamWriter(context: AnswerContext): StreamWriter {
  // Callers parse the arguments as JSON: a call without any must still say `{}`.
  const bareCalls = new Set<number>();
  let id = `chatcmpl-${context.requestId}`;
  const head = () => ({
    id,
    object: "chat.completion.chunk",
    created: context.createdAtSeconds,
    model: context.model,
  });
  const unknownUsage = context.includeUsage ? { usage: null } : {};
  const chunk = (delta: object, finishReason: string | null = null): string =>
    dataEvent({
      ...head(),
      choices: [{ index: 0, delta, logprobs: null, finish_reason: finishReason }],
      ...unknownUsage,
    });
  const toolDelta = (index: number, argumentsText: string): string => {
    if (argumentsText !== "") bareCalls.delete(index);
    return chunk({ tool_calls: [{ index, function: { arguments: argumentsText } }] });
  };
  const finish = (part: Finish): string => {
    const bare = [...bareCalls].map((index) => toolDelta(index, "{}")).join("");
    const last = bare + chunk(annotationsField(part.citations), OPENAI_FINISH[part.reason]);
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
          return chunk({ content: part.text });
        case "media":
          return chunk({ content: mediaAsText(part) });
        case "reasoning-delta":
          return chunk({ reasoning_content: part.text });
        case "tool-call-start":
          bareCalls.add(part.index);
          return chunk(toolStart(part));
        case "tool-call-delta":
          return toolDelta(part.index, part.argumentsText);
        case "finish":
          return finish(part);
        case "reasoning-signature":
        case "redacted-reasoning":
          return ""; // OpenAI's format has no place for them.
      }
    },
    fail: (error: RelayError, requestId: string): string => dataEvent(writeOpenAiError(error, requestId)),
  };
}
