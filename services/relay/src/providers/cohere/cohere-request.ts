import type { ChatMessage, ChatRequest, ChatTool, ContentPart, Json, ResponseFormat } from "../../core/chat/chat.ts";
import { compact } from "../../core/chat/json.ts";
import { jsonInstruction, withFormatInstruction } from "../shared/json-instruction.ts";
import { refuseManyCandidates, toTurns, unsupportedPart } from "../../core/chat/messages.ts";
import { isSwitchedOff } from "../../core/chat/reasoning.ts";
import { writeMessages } from "../formats/openai/openai-messages.ts";

const TOP_P = { min: 0.01, max: 0.99 } as const;
const BUDGET_MIN = 1;
const STOP_SEQUENCES_MAX = 5;
/** Only system instructions are refused: there must be a user message. */
const FILLER: ChatMessage = { role: "user", parts: [{ type: "text", text: "..." }] };

function refuseOtherParts(parts: readonly ContentPart[]): void {
  if (parts.some(({ type }) => type === "audio")) throw unsupportedPart("audio");
  if (parts.some(({ type }) => type === "file" || type === "file-url")) throw unsupportedPart("a file");
}

/** Cohere does not accept null content; messages otherwise have OpenAI's format. */
function writeCohereMessages({ system, messages }: ChatRequest, instruction: string | undefined): object[] {
  for (const { parts } of messages) refuseOtherParts(parts);
  const requested: ContentPart[] = instruction === undefined ? [] : [{ type: "text", text: instruction }];
  const turns = toTurns(messages);
  return writeMessages([...system, ...requested], turns.length > 0 ? turns : [FILLER]).map((message) =>
    Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null)),
  );
}

const writeTool = ({ name, description, parameters }: ChatTool): object => ({
  type: "function",
  function: compact({ name, description, parameters: { type: "object", ...parameters } }),
});

/** Auto is the default and has no value; a specific tool is forced by omitting the others. */
function writeTools({ tools, toolChoice }: ChatRequest): Json {
  if (!tools || tools.length === 0) return {};
  if (toolChoice?.type === "tool") {
    const chosen = tools.filter(({ name }) => name === toolChoice.name);
    return { tools: (chosen.length > 0 ? chosen : tools).map(writeTool), tool_choice: "REQUIRED" };
  }
  const choice = { auto: undefined, required: "REQUIRED", none: "NONE" }[toolChoice?.type ?? "auto"];
  return compact({ tools: tools.map(writeTool), tool_choice: choice });
}

function writeFormat(format: ResponseFormat | undefined): Json | undefined {
  if (!format || format.type === "text") return undefined;
  return format.type === "json" ? { type: "json_object" } : { type: "json_object", json_schema: format.schema };
}

function writeThinking({ reasoning }: ChatRequest, model: string): Json | undefined {
  if (!reasoning || !model.includes("reasoning")) return undefined;
  if (isSwitchedOff(reasoning)) return { type: "disabled" };
  const { budgetTokens } = reasoning;
  return compact({ type: "enabled", token_budget: (budgetTokens ?? 0) >= BUDGET_MIN ? budgetTokens : undefined });
}

const within = (value: number | undefined, min: number, max: number): number | undefined =>
  value === undefined ? undefined : Math.min(Math.max(value, min), max);

/** Only one of the two is accepted. */
function writePenalties({ frequencyPenalty, presencePenalty }: ChatRequest): Json {
  const frequency = within(frequencyPenalty, 0, 1);
  const presence = within(presencePenalty, 0, 1);
  return { frequency_penalty: frequency, presence_penalty: frequency ? undefined : presence };
}

/**
 * Builds a body of Cohere's v2 chat. A response format cannot be combined with tools (docs.cohere.com/reference/chat,
 * `response_format`): with tools, JSON is requested by an instruction. Values out of range and both penalties at once
 * are refused too (docs.cohere.com/reference/errors).
 */
export function buildCohereBody(requested: ChatRequest, model: string): Json {
  refuseManyCandidates(requested);
  const hasTools = (requested.tools ?? []).length > 0;
  const request = hasTools ? requested : withFormatInstruction(requested);
  return compact({
    model,
    messages: writeCohereMessages(request, hasTools ? jsonInstruction(request.responseFormat) : undefined),
    stream: request.stream,
    max_tokens: request.maxOutputTokens,
    temperature: within(request.temperature, 0, 1),
    p: within(request.topP, TOP_P.min, TOP_P.max),
    k: request.topK,
    stop_sequences: request.stop?.slice(0, STOP_SEQUENCES_MAX),
    seed: request.seed,
    ...writePenalties(request),
    ...writeTools(request),
    response_format: hasTools ? undefined : writeFormat(request.responseFormat),
    thinking: writeThinking(request, model),
  });
}
