import type { ChatRequest, FinishReason, Json } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";

/** By this name models that know no schemas are made to answer in one; what they call it with is the answer. */
const ANSWER_TOOL = "answer_in_json";

export const isAnswerTool = (name: unknown): boolean => name === ANSWER_TOOL;

const hasToolCalls = ({ messages }: ChatRequest): boolean =>
  messages.some(({ parts }) => parts.some(({ type }) => type === "tool-call"));

/**
 * The tool, forced, for a schema that is asked of a model without schemas; undefined where it will not do: beside other tools the
 * model must be free to choose, and thinking models refuse to be forced.
 */
export function forceAnswerTool(request: ChatRequest, isThinking: boolean): Json | undefined {
  const { responseFormat: format, tools, webSearch } = request;
  const mustChoose = tools !== undefined || webSearch !== undefined || hasToolCalls(request);
  if (format?.type !== "json-schema" || isThinking || mustChoose) return undefined;
  // A tool is called with an object.
  if ((format.schema["type"] ?? "object") !== "object") return undefined;
  const description = format.description ?? "Gives the answer to the user.";
  return {
    tools: [{ name: ANSWER_TOOL, description, input_schema: { ...format.schema, type: "object" } }],
    tool_choice: { type: "tool", name: ANSWER_TOOL },
  };
}

/** An answer by the tool alone ended as answers do, not by a call. */
export const finishOfAnswer = (reason: FinishReason, isByTool: boolean): FinishReason =>
  reason === "tool-calls" && isByTool ? "stop" : reason;

/** Whether a whole answer's only call is the tool. */
export function isAnsweredByTool(content: readonly unknown[]): boolean {
  const calls = content.map((block) => asObject(block) ?? {}).filter(({ type }) => type === "tool_use");
  return calls.length > 0 && calls.every(({ name }) => isAnswerTool(name));
}
