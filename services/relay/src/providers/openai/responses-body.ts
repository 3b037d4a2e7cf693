import type { ChatRequest, ChatTool, Json, ResponseFormat, ToolChoice, WebSearch } from "../../core/chat/chat.ts";
import { compact } from "../../core/chat/json.ts";
import { withFormatInstruction } from "../shared/json-instruction.ts";
import { toOpenAiTier } from "../shared/service-tier.ts";
import { refuseManyCandidates, getText } from "../../core/chat/messages.ts";
import { getEffort } from "../../core/chat/reasoning.ts";
import { splitEffort, supportedEffort } from "../formats/openai/openai-model-rules.ts";
import { endUser } from "../formats/openai/openai-request.ts";
import { openAiParameters } from "../formats/openai/openai-schema.ts";
import { writeInput } from "./responses-input.ts";
import { getRequirements } from "./responses-models.ts";

/** Smaller limits are refused. */
const OUTPUT_TOKENS_MIN = 16;

function writeCustom(name: string, { description, grammar }: NonNullable<ChatTool["custom"]>): Json {
  const { syntax, definition } = grammar ?? {};
  const format = grammar && { type: "grammar", syntax, definition };
  return compact({ type: "custom", name, description, format });
}

/** Strict by default, whereas chat's default is the opposite. */
const writeTool = ({ name, description, parameters, strict = false, custom }: ChatTool): Json =>
  custom
    ? writeCustom(name, custom)
    : compact({ type: "function", name, description, parameters: openAiParameters(parameters), strict });

const getCustomNames = (tools: readonly ChatTool[] = []): ReadonlySet<string> =>
  new Set(tools.flatMap(({ name, custom }) => (custom ? [name] : [])));

/** Deep research supports the search only under its older name. */
function writeSearch({ contextSize, userLocation }: Partial<WebSearch>, model: string): Json {
  const type = getRequirements(model).mustSearch ? "web_search_preview" : "web_search";
  const location = userLocation && { type: "approximate", ...userLocation };
  return compact({ type, search_context_size: contextSize, user_location: location });
}

const writeToolChoice = (choice: ToolChoice, tools: readonly ChatTool[] | undefined): unknown =>
  choice.type === "tool"
    ? { type: getCustomNames(tools).has(choice.name) ? "custom" : "function", name: choice.name }
    : choice.type;

function writeFormat(format: ResponseFormat): Json {
  if (format.type === "text") return { type: "text" };
  if (format.type === "json") return { type: "json_object" };
  const { name, schema, strict, description } = format;
  return compact({ type: "json_schema", name, schema, strict, description });
}

function getTools({ tools = [], webSearch }: ChatRequest, model: string): Json[] {
  const search = webSearch ?? (getRequirements(model).mustSearch ? {} : undefined);
  return [...(search ? [writeSearch(search, model)] : []), ...tools.map(writeTool)];
}

function writeTools(request: ChatRequest, model: string): Json {
  const tools = getTools(request, model);
  if (tools.length === 0) return {};
  const { toolChoice, parallelToolCalls } = request;
  return compact({
    tools,
    tool_choice: toolChoice && writeToolChoice(toolChoice, request.tools),
    parallel_tool_calls: parallelToolCalls,
  });
}

/** The response format and the verbosity, which are separate fields in chat. */
function writeText(format: ResponseFormat | undefined, verbosity: unknown): Json | undefined {
  const text = compact({ format: format && writeFormat(format), verbosity });
  return Object.keys(text).length === 0 ? undefined : text;
}

/**
 * The system prompt and the conversation. JSON is refused unless the input mentions it, and instructions do not count
 * as input: in that case the prompt is a message.
 */
function writePrompt({ system, messages, responseFormat, tools: offered }: ChatRequest): Json {
  const prompt = getText(system, "\n\n");
  const input = writeInput(messages, getCustomNames(offered));
  if (prompt === "") return { input };
  if (responseFormat?.type !== "json") return { instructions: prompt, input };
  return { input: [{ role: "developer", content: prompt }, ...input] };
}

function writeReasoning(reasoning: ChatRequest["reasoning"], model: string, suffix: string | undefined): Json {
  const effort = reasoning ? supportedEffort(model, getEffort(reasoning)) : suffix;
  return effort === undefined ? {} : { reasoning: { effort } };
}

/**
 * Converts a chat call to the body of `POST /v1/responses`; nothing is stored there. Fields that such models refuse are
 * omitted, as for related models in chat: sampling parameters, stop words, seeds, penalties. Reasoning summaries are
 * not requested: they require a verified organization. Source: OpenAI API reference, "Create a model response". Throws
 * RelayError for several candidates and for audio.
 */
export function buildResponsesBody(requested: ChatRequest, name: string): Json {
  refuseManyCandidates(requested);
  const request = withFormatInstruction(requested);
  const { model, effort } = splitEffort(name);
  const { maxOutputTokens, responseFormat, user } = request;
  const { verbosity, ...others } = request.openAi ?? {};
  return compact({
    service_tier: request.serviceTier && toOpenAiTier(request.serviceTier),
    ...others,
    model,
    ...writePrompt(request),
    stream: request.stream || undefined,
    store: false,
    max_output_tokens: maxOutputTokens && Math.max(OUTPUT_TOKENS_MIN, maxOutputTokens),
    ...writeTools(request, model),
    text: writeText(responseFormat, verbosity),
    ...writeReasoning(request.reasoning, model, effort),
    user: user && endUser(user),
    truncation: getRequirements(model).mustTruncate ? "auto" : undefined,
  });
}
