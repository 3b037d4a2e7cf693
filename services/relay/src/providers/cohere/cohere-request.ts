import type { ChatRequest, ChatTool, ContentPart, Json, ResponseFormat } from "../../chat/chat.ts";
import { compact } from "../../chat/json.ts";
import { jsonInstruction } from "../../chat/json-instruction.ts";
import { refuseManyCandidates, unsupportedPart } from "../../chat/messages.ts";
import { isSwitchedOff } from "../../chat/reasoning.ts";
import { writeMessages } from "../openai/openai-messages.ts";

const TOP_P = { min: 0.01, max: 0.99 } as const;
const BUDGET_MIN = 1;

function refuseOtherParts(parts: readonly ContentPart[]): void {
  if (parts.some(({ type }) => type === "audio")) throw unsupportedPart("audio");
  if (parts.some(({ type }) => type === "file")) throw unsupportedPart("a file");
}

/** Cohere knows no null content; messages are otherwise in OpenAI's form. */
function writeCohereMessages({ system, messages }: ChatRequest): object[] {
  for (const { parts } of messages) refuseOtherParts(parts);
  return writeMessages(system, messages).map((message) =>
    Object.fromEntries(Object.entries(message).filter(([, value]) => value !== null)),
  );
}

const writeTool = ({ name, description, parameters }: ChatTool): object => ({
  type: "function",
  function: compact({ name, description, parameters: { type: "object", ...parameters } }),
});

/** Auto is the default and has no word; one certain tool is asked for by leaving the others out. */
function writeTools({ tools, toolChoice }: ChatRequest): Json {
  if (!tools || tools.length === 0) return {};
  if (toolChoice?.type === "tool") {
    const wanted = tools.filter(({ name }) => name === toolChoice.name);
    return { tools: (wanted.length > 0 ? wanted : tools).map(writeTool), tool_choice: "REQUIRED" };
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

/**
 * Beside tools Cohere takes no form of the answer (docs.cohere.com/v2/reference/chat, response_format: Limitation): there it is asked
 * for in words.
 */
function askInWords(request: ChatRequest): ChatRequest {
  const instruction = request.tools ? jsonInstruction(request.responseFormat) : undefined;
  if (instruction === undefined) return request;
  const { responseFormat: _format, system, ...rest } = request;
  return { ...rest, system: [...system, { type: "text", text: instruction }] };
}

/** A body of Cohere's v2 chat. */
export function buildCohereBody(asked: ChatRequest, model: string): Json {
  refuseManyCandidates(asked);
  const request = askInWords(asked);
  return compact({
    model,
    messages: writeCohereMessages(request),
    stream: request.stream,
    max_tokens: request.maxOutputTokens,
    temperature: request.temperature,
    p: within(request.topP, TOP_P.min, TOP_P.max),
    k: request.topK,
    stop_sequences: request.stop,
    seed: request.seed,
    frequency_penalty: within(request.frequencyPenalty, 0, 1),
    presence_penalty: within(request.presencePenalty, 0, 1),
    ...writeTools(request),
    response_format: writeFormat(request.responseFormat),
    thinking: writeThinking(request, model),
  });
}
