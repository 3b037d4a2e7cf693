import type { ChatRequest, FinishReason, Json } from "../../../core/chat/chat.ts";
import { asObject } from "../../../core/chat/json.ts";

/**
 * The name of the tool through which models without schema support return structured output; its arguments are the
 * response.
 */
const RESPONSE_TOOL = "answer_in_json";

export const isOutputTool = (name: unknown): boolean => name === RESPONSE_TOOL;

const hasToolCalls = ({ messages }: ChatRequest): boolean =>
  messages.some(({ parts }) => parts.some(({ type }) => type === "tool-call"));

/**
 * The forced tool for a schema on a model without schema support; undefined if it cannot be used: with other tools the
 * model must be free to choose, and reasoning models refuse a forced tool.
 */
export function forceOutputTool(request: ChatRequest, isThinking: boolean): Json | undefined {
  const { responseFormat: format, tools, webSearch } = request;
  const mustChoose = tools !== undefined || webSearch !== undefined || hasToolCalls(request);
  if (format?.type !== "json-schema" || isThinking || mustChoose) return undefined;
  // Tool arguments are always an object.
  if ((format.schema["type"] ?? "object") !== "object") return undefined;
  const description = format.description ?? "Gives the answer to the user.";
  return {
    tools: [{ name: RESPONSE_TOOL, description, input_schema: { ...format.schema, type: "object" } }],
    tool_choice: { type: "tool", name: RESPONSE_TOOL },
  };
}

/** A response made only by the tool has a normal finish reason instead of a tool call's. */
export const toFinishReason = (reason: FinishReason, isByTool: boolean): FinishReason =>
  reason === "tool-calls" && isByTool ? "stop" : reason;

/** Whether the only call of a non-streaming response is the tool. */
export function isToolOutput(content: readonly unknown[]): boolean {
  const calls = content.map((block) => asObject(block) ?? {}).filter(({ type }) => type === "tool_use");
  return calls.length > 0 && calls.every(({ name }) => isOutputTool(name));
}
