import { createHash } from "node:crypto";
import type { ChatRequest, ChatTool, Json, ResponseFormat, ToolChoice } from "../../../core/chat/chat.ts";
import { compact } from "../../../core/chat/json.ts";
import { withFormatInstruction } from "../../shared/json-instruction.ts";
import { getOwnTier, toOpenAiTier } from "../../shared/service-tier.ts";
import { refuseManyCandidates } from "../../../core/chat/messages.ts";
import { getEffort } from "../../../core/chat/reasoning.ts";
import type { Target } from "../../contract/target.ts";
import { writeCacheControl } from "./cache-control.ts";
import { getMessageForm, type MessageForm } from "./message-form.ts";
import type { OpenAiCompatible } from "./openai-compatible.ts";
import { applyModelRules, knowsParallelCalls, splitEffort, stopsFor, supportedEffort } from "./openai-model-rules.ts";
import { writeMessages } from "./openai-messages.ts";
import { openAiParameters } from "./openai-schema.ts";

const USER_LENGTH_MAX = 64;

/** The end user of the caller's product. Longer values are refused (Claude Code's are): their digest replaces them. */
export const endUser = (user: string): string =>
  user.length <= USER_LENGTH_MAX ? user : createHash("sha256").update(user).digest("hex");

const writeTool = (tool: ChatTool, { cacheBreakpoints }: MessageForm): object => {
  const { name, description, parameters, strict } = tool;
  return {
    type: "function",
    function: compact({ name, description, parameters: parameters && openAiParameters(parameters), strict }),
    ...writeCacheControl(tool.cacheControl, cacheBreakpoints, "tool"),
  };
};

const writeToolChoice = (choice: ToolChoice): string | object =>
  choice.type === "tool" ? { type: "function", function: { name: choice.name } } : choice.type;

function writeFormat(format: ResponseFormat): object {
  if (format.type === "text") return { type: "text" };
  if (format.type === "json") return { type: "json_object" };
  const { name, schema, strict, description } = format;
  return { type: "json_schema", json_schema: compact({ name, schema, strict, description }) };
}

function writeTools({ tools, toolChoice, parallelToolCalls }: ChatRequest, model: string, form: MessageForm): Json {
  if (!tools) return {};
  return compact({
    tools: tools.map((tool) => writeTool(tool, form)),
    tool_choice: toolChoice && writeToolChoice(toolChoice),
    parallel_tool_calls: knowsParallelCalls(model) ? parallelToolCalls : undefined,
  });
}

const OPENAI = { channelType: 1, host: /^https:\/\/([a-z]+\.)?api\.openai\.com(?=[:/]|$)/ };

/** The tier as OpenAI takes it. */
function writeTier({ serviceTier }: ChatRequest, target: Target): string | undefined {
  const tier = getOwnTier(serviceTier, target, OPENAI);
  return tier && toOpenAiTier(tier);
}

/** Builds a chat completions body. Usage is always requested if the provider supports that. */
export function buildOpenAiBody(requested: ChatRequest, like: OpenAiCompatible, target: Target): Json {
  refuseManyCandidates(requested);
  const { model } = target;
  const form = getMessageForm(like, target);
  const request = withFormatInstruction(requested);
  const { reasoning } = request;
  const effort = reasoning && supportedEffort(splitEffort(model).model, getEffort(reasoning));
  const body: Json = compact({
    model,
    messages: writeMessages(request.system, request.messages, form),
    stream: request.stream || undefined,
    stream_options: request.stream && like.supportsStreamUsage ? { include_usage: true } : undefined,
    max_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    top_p: request.topP,
    stop: stopsFor(model, request.stop),
    seed: request.seed,
    presence_penalty: request.presencePenalty,
    frequency_penalty: request.frequencyPenalty,
    ...writeTools(request, model, form),
    response_format: request.responseFormat && writeFormat(request.responseFormat),
    reasoning_effort: effort,
    service_tier: writeTier(request, target),
    user: request.user && endUser(request.user),
  });
  return applyModelRules(body, model);
}
