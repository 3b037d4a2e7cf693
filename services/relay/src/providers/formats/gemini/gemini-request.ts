import { getOwnTier } from "../../shared/service-tier.ts";
import type { ChatRequest, ChatTool, Json, ToolChoice } from "../../../core/chat/chat.ts";
import { compact } from "../../../core/chat/json.ts";
import { jsonInstruction } from "../../shared/json-instruction.ts";
import { refuseManyCandidates, getText } from "../../../core/chat/messages.ts";
import type { ProviderSettings, Target } from "../../contract/target.ts";
import { writeContents } from "./gemini-contents.ts";
import { generatesImages, geminiTraits } from "./gemini-models.ts";
import { geminiParameters, geminiSchema } from "./gemini-schema.ts";
import { geminiThinking, splitThinking } from "./gemini-thinking.ts";

const HARM_CATEGORIES = [
  "HARM_CATEGORY_HARASSMENT",
  "HARM_CATEGORY_HATE_SPEECH",
  "HARM_CATEGORY_SEXUALLY_EXPLICIT",
  "HARM_CATEGORY_DANGEROUS_CONTENT",
  "HARM_CATEGORY_CIVIC_INTEGRITY",
] as const;
const STOP_SEQUENCES_MAX = 5;
/** The field is an int32. */
const SEED_MAX = 2 ** 31;
/** Functions with these names select Gemini's own tools. */
const OWN_TOOLS: ReadonlySet<string> = new Set(["googleSearch", "codeExecution", "urlContext"]);

function writeSafety({ geminiSafetySettings }: ProviderSettings): Json[] {
  return HARM_CATEGORIES.flatMap((category) => {
    const threshold = geminiSafetySettings[category] ?? geminiSafetySettings["default"];
    return threshold === undefined ? [] : [{ category, threshold }];
  });
}

const writeDeclaration = ({ name, description, parameters }: ChatTool): object =>
  compact({ name, description: description ?? "", parameters: geminiParameters(parameters) });

const PENALTY_MAX = 1.99;

function writeMode(choice: ToolChoice): Json {
  if (choice.type === "tool") return { mode: "ANY", allowedFunctionNames: [choice.name] };
  return { mode: { auto: "AUTO", none: "NONE", required: "ANY" }[choice.type] };
}

function writeTools({ tools = [], toolChoice, webSearch }: ChatRequest): Json {
  const declarations = tools.filter(({ name }) => !OWN_TOOLS.has(name)).map(writeDeclaration);
  const requested = tools.map(({ name }) => name).filter((name) => OWN_TOOLS.has(name));
  // Google itself decides how much is read and where the user is. It refuses a search combined with functions, or (from
  // the third generation on) requires its search output back in the next turn, for which other formats have no field.
  // An optional search is therefore omitted.
  const searches = webSearch !== undefined && declarations.length === 0;
  const own = new Set(searches ? [...requested, "googleSearch"] : requested);
  const all = [
    ...(declarations.length > 0 ? [{ functionDeclarations: declarations }] : []),
    ...[...own].map((name) => ({ [name]: {} })),
  ];
  if (all.length === 0) return {};
  return compact({
    tools: all,
    toolConfig: toolChoice && declarations.length > 0 ? { functionCallingConfig: writeMode(toolChoice) } : undefined,
  });
}

function writeFormat({ responseFormat }: ChatRequest): Json {
  if (!responseFormat || responseFormat.type === "text") return {};
  if (responseFormat.type === "json") return { responseMimeType: "application/json" };
  return { responseMimeType: "application/json", responseSchema: geminiSchema(responseFormat.schema) };
}

/** Models without penalties refuse even a zero; models with penalties refuse 2, the maximum of other providers. */
const penalty = (value: number | undefined): number | undefined =>
  value === undefined || value === 0 ? undefined : Math.min(value, PENALTY_MAX);

function writeGeneration(request: ChatRequest, model: string, settings: ProviderSettings): Json {
  return compact({
    maxOutputTokens: request.maxOutputTokens,
    temperature: request.temperature,
    topP: request.topP,
    topK: request.topK,
    stopSequences: request.stop?.slice(0, STOP_SEQUENCES_MAX),
    seed: request.seed === undefined ? undefined : request.seed % SEED_MAX,
    presencePenalty: penalty(request.presencePenalty),
    frequencyPenalty: penalty(request.frequencyPenalty),
    responseModalities: generatesImages(model, settings) ? ["TEXT", "IMAGE"] : undefined,
  });
}

/** Vertex AI takes the tier in a header of its own. */
const GOOGLE = { channelType: 24, host: /^https:\/\/generativelanguage\.googleapis\.com(?=[:/]|$)/ };

/** The tier as the Gemini API takes it; the standard one is served without. */
const writeTier = ({ serviceTier }: ChatRequest, target: Target): string | undefined =>
  getOwnTier(serviceTier === "standard" ? undefined : serviceTier, target, GOOGLE);

/**
 * Builds a generateContent body. Before the third generation JSON responses cannot be combined with tools: then they
 * are requested by an instruction.
 */
export function buildGeminiBody(request: ChatRequest, target: Target): Json {
  refuseManyCandidates(request);
  const { model, suffix } = splitThinking(target.model, target.settings);
  const traits = geminiTraits(model);
  const hasTools = request.tools !== undefined || request.webSearch !== undefined;
  const requestsJsonInText = hasTools && !traits.isThirdGeneration;
  const instruction = requestsJsonInText ? jsonInstruction(request.responseFormat) : undefined;
  const system = [getText(request.system, "\n"), instruction ?? ""].filter((text) => text !== "").join("\n\n");
  const generationConfig: Json = compact({
    ...writeGeneration(request, model, target.settings),
    ...(requestsJsonInText ? {} : writeFormat(request)),
    thinkingConfig: geminiThinking(request, model, suffix, target.settings),
  });
  return compact({
    contents: writeContents(request.messages, traits.isThirdGeneration),
    systemInstruction: system === "" ? undefined : { parts: [{ text: system }] },
    ...writeTools(request),
    safetySettings: writeSafety(target.settings),
    generationConfig,
    serviceTier: writeTier(request, target),
  });
}
