import type { ChatMessage, ChatRequest, ChatTool, Json } from "../../../core/chat/chat.ts";
import { compact } from "../../../core/chat/json.ts";
import { jsonInstruction } from "../../shared/json-instruction.ts";
import { refuseManyCandidates } from "../../../core/chat/messages.ts";
import type { Target } from "../../contract/target.ts";
import { addCacheBreakpoints, hasOwnBreakpoints } from "./cache-breakpoints.ts";
import { forceOutputTool } from "./claude-response-tool.ts";
import { type ClaudeTurn, endClaudeTurns, writeClaudeTurns, writeSystem } from "./claude-messages.ts";
import { claudeTraits } from "./claude-models.ts";
import { claudeSchema, isExpressible } from "./claude-schema.ts";
import { continuesUnsignedCall } from "./unsigned-reasoning.ts";
import { searchTools } from "./claude-web-search.ts";
import { claudeThinking, splitThinking, type ClaudeThinking, type ThinkingQuestion } from "./claude-thinking.ts";

const writeTool = ({ name, description, parameters, cacheControl }: ChatTool): object =>
  compact({ name, description, input_schema: { type: "object", ...parameters }, cache_control: cacheControl });

/** Anthropic refuses tool calls in the conversation without tool definitions: definitions are made from the names. */
function listHistoryTools(messages: readonly ChatMessage[]): object[] {
  const calls = messages.flatMap(({ parts }) =>
    parts.flatMap((part) => (part.type === "tool-call" ? [part.name] : [])),
  );
  return [...new Set(calls)].map((name) => ({ name, input_schema: { type: "object", properties: {} } }));
}

function writeToolChoice({ toolChoice, parallelToolCalls }: ChatRequest): Json | undefined {
  if (toolChoice?.type === "none") return { type: "none" };
  const oneAtATime = parallelToolCalls === false ? { disable_parallel_tool_use: true } : {};
  if (toolChoice?.type === "tool") return { type: "tool", name: toolChoice.name, ...oneAtATime };
  if (toolChoice?.type === "required") return { type: "any", ...oneAtATime };
  return toolChoice || parallelToolCalls === false ? { type: "auto", ...oneAtATime } : undefined;
}

function writeTools(request: ChatRequest): Json {
  const own = searchTools(request);
  if (request.tools || own.length > 0) {
    const tools = [...(request.tools ?? []).map(writeTool), ...own];
    return compact({ tools, tool_choice: writeToolChoice(request) });
  }
  const stubs = listHistoryTools(request.messages);
  return stubs.length > 0 ? { tools: stubs, tool_choice: { type: "none" } } : {};
}

function writeSampling(request: ChatRequest, model: string, isThinking: boolean): Json {
  const traits = claudeTraits(model);
  if (traits.fixedSampling || isThinking) return {};
  const temperature = request.temperature === undefined ? undefined : Math.min(request.temperature, 1);
  const topP = traits.oneSampling && temperature !== undefined ? undefined : request.topP;
  return compact({ temperature, top_p: topP, top_k: request.topK });
}

/** Not every client sends back the reasoning that a call with a budget must continue from. */
function getThinking(
  request: ChatRequest,
  turns: readonly ClaudeTurn[],
  rules: Pick<ThinkingQuestion, "model" | "settings" | "suffixShare" | "outputTokensMax">,
): ClaudeThinking {
  const { maxOutputTokens, reasoning } = request;
  const requested = claudeThinking({ ...rules, maxOutputTokens, reasoning });
  const isForced = request.toolChoice?.type === "tool" || request.toolChoice?.type === "required";
  const isImpossible = isForced || (requested.thinking?.["type"] === "enabled" && continuesUnsignedCall(turns));
  return requested.isOn && isImpossible ? { maxTokens: requested.maxTokens, isOn: false } : requested;
}

const VERTEX_TYPE = 41;

function takesSchema(model: string, { channelType }: Target): boolean {
  const { jsonSchema, jsonSchemaOnVertex } = claudeTraits(model);
  return channelType === VERTEX_TYPE ? jsonSchemaOnVertex : jsonSchema;
}

function writeOutputConfig(
  { responseFormat }: ChatRequest,
  isSchemaTaken: boolean,
  effort: string | undefined,
): Json | undefined {
  const hasSchema = responseFormat?.type === "json-schema" && isSchemaTaken && isExpressible(responseFormat.schema);
  const format = hasSchema ? { type: "json_schema", schema: claudeSchema(responseFormat.schema) } : undefined;
  return effort === undefined && !format ? undefined : compact({ effort, format });
}

const stopSequences = (stop: readonly string[] | undefined): string[] | undefined => {
  const usable = stop?.filter((text) => text.trim() !== "") ?? [];
  return usable.length > 0 ? usable : undefined;
};

/**
 * Builds a messages body. JSON schemas use the documented `output_config.format`; models without it are forced to call
 * a tool with that schema, and if that is not possible, or for JSON without a schema, the system prompt contains the
 * instruction.
 */
export function buildAnthropicBody(request: ChatRequest, target: Target): Json {
  refuseManyCandidates(request);
  const { model, isThinking } = splitThinking(target.model, target.settings);
  const { settings, outputTokensMax } = target;
  const suffixShare = isThinking ? settings.claudeThinkingAdapter.budgetShare : undefined;
  const turns = writeClaudeTurns(request.messages);
  const thinking = getThinking(request, turns, { model, settings, suffixShare, outputTokensMax });
  const outputConfig = writeOutputConfig(request, takesSchema(model, target), thinking.effort);
  const isNative = outputConfig?.["format"] !== undefined;
  const forced = isNative ? undefined : forceOutputTool(request, thinking.isOn);
  const takesPrefill = claudeTraits(model).supportsPrefill && !thinking.isOn && !isNative;
  const instruction = isNative || forced ? undefined : jsonInstruction(request.responseFormat);
  const body = compact({
    model,
    max_tokens: thinking.maxTokens,
    system: writeSystem(request.system, instruction),
    messages: endClaudeTurns(turns, takesPrefill),
    stream: request.stream || undefined,
    ...writeSampling(request, model, thinking.isOn),
    stop_sequences: stopSequences(request.stop),
    ...(forced ?? writeTools(request)),
    thinking: thinking.thinking,
    output_config: outputConfig,
    metadata: request.user === undefined ? undefined : { user_id: request.user },
  });
  return settings.claudeCacheBreakpoints && !hasOwnBreakpoints(request) ? addCacheBreakpoints(body) : body;
}
