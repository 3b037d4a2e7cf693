import type { ChatRequest, ChatTool, ContentPart, Json, ResponseFormat, ToolChoice } from "../../core/chat/chat.ts";
import { asList, asObject, asObjects, asText, compact } from "../../core/chat/json.ts";
import { isEffort } from "../../core/chat/reasoning.ts";
import { commonName } from "../shared/tool-names.ts";
import type { PathValues } from "../../core/call/dialect.ts";
import {
  invalidField,
  optionalNumber,
  optionalText,
  optionalTexts,
  optionalTokenBound,
  requireList,
  requireName,
  requireObject,
} from "../shared/fields.ts";
import { parseServiceTier } from "../shared/service-tier.ts";
import { toArray, either, parseContents, parseParts } from "./gemini-content.ts";
import { toJsonSchema } from "./gemini-json-schema.ts";
import { findUnknownTool, refuseForcedOwnTool } from "./gemini-own-tools.ts";
import { searchAmong } from "./gemini-web-search.ts";

/** JSON as a media type, or as the name of Google's enum. */
const JSON_TYPE = /^application[/_]json$/i;
const NO_PARAMETERS: Json = { type: "object", properties: {} };

function parseFunction(value: unknown, path: string): ChatTool {
  const declaration = requireObject(value, path);
  const schema =
    either(declaration, "parametersJsonSchema", "parameters_json_schema") ?? toJsonSchema(declaration["parameters"]);
  return compact({
    name: commonName(requireName(declaration["name"], `${path}.name`)),
    description: optionalText(declaration["description"], `${path}.description`),
    parameters: asObject(schema) ?? NO_PARAMETERS,
  });
}

/** Tools that Google runs (code execution, maps) have no equivalent elsewhere except search and are omitted. */
function parseTools(body: Json): ChatTool[] | undefined {
  const tools = asList(body["tools"]).flatMap((value, index) => {
    const tool = requireObject(value, `tools[${index}]`);
    const path = `tools[${index}].functionDeclarations`;
    const declarations = either(tool, "functionDeclarations", "function_declarations");
    const unknown = findUnknownTool(tool);
    if (unknown !== undefined) throw invalidField(`tools[${index}].${unknown}`, "is a tool this model does not have");
    return asList(declarations).map((declaration, at) => parseFunction(declaration, `${path}[${at}]`));
  });
  return tools.length > 0 ? tools : undefined;
}

function readCalling(body: Json): { calling: Json | undefined; names: readonly unknown[] } {
  const config = asObject(either(body, "toolConfig", "tool_config")) ?? {};
  const calling = asObject(either(config, "functionCallingConfig", "function_calling_config"));
  return { calling, names: asList(calling && either(calling, "allowedFunctionNames", "allowed_function_names")) };
}

/** If one of several functions must be called, the others are omitted: no other dialect can name several. */
function allowedTools(body: Json): ChatTool[] | undefined {
  const tools = parseTools(body);
  const { calling, names } = readCalling(body);
  if (calling?.["mode"] !== "ANY" || names.length < 2) return tools;
  const allowed = new Set(names.map((name) => commonName(asText(name) ?? "")));
  return tools?.filter(({ name }) => allowed.has(name));
}

function parseToolChoice(body: Json): ToolChoice | undefined {
  const { calling, names } = readCalling(body);
  // A choice among tools that were omitted is omitted too.
  if (asList(body["tools"]).length > 0 && parseTools(body) === undefined) return undefined;
  switch (calling?.["mode"]) {
    case undefined:
    case "MODE_UNSPECIFIED":
      return undefined;
    case "AUTO":
    case "VALIDATED":
      return { type: "auto" };
    case "NONE":
      return { type: "none" };
    case "ANY":
      return names.length === 1
        ? { type: "tool", name: commonName(requireName(names[0], "allowedFunctionNames[0]")) }
        : { type: "required" };
    default:
      throw invalidField("toolConfig.functionCallingConfig.mode", "must be AUTO, ANY or NONE");
  }
}

/** A choice among enum values is requested by an instruction: no other dialect has a parameter for it. */
function enumInstruction(config: Json): ContentPart[] {
  if (either(config, "responseMimeType", "response_mime_type") !== "text/x.enum") return [];
  const schema = asObject(either(config, "responseSchema", "response_schema"));
  const values = asList(schema?.["enum"]);
  if (values.length === 0) throw invalidField("generationConfig.responseSchema", "must have an enum");
  return [{ type: "text", text: `Answer with exactly one of these and nothing else: ${values.join(", ")}` }];
}

/** The format of the text in the newer list of formats, one for each kind of output. */
const findTextFormat = (config: Json): Json | undefined =>
  asObjects(toArray(either(config, "responseFormat", "response_format")))
    .map(({ text }) => asObject(text))
    .find((text) => text !== undefined);

function parseFormat(config: Json): ResponseFormat | undefined {
  const text = findTextFormat(config) ?? {};
  const mediaType = asText(
    either(config, "responseMimeType", "response_mime_type") ?? either(text, "mimeType", "mime_type"),
  );
  if (!JSON_TYPE.test(mediaType ?? "")) return undefined;
  const schema =
    either(config, "responseJsonSchema", "response_json_schema") ??
    toJsonSchema(either(config, "responseSchema", "response_schema") ?? text["schema"]);
  const object = asObject(schema);
  return object ? { type: "json-schema", name: "answer", schema: object } : { type: "json" };
}

function parseReasoning(config: Json): ChatRequest["reasoning"] {
  const thinking = asObject(either(config, "thinkingConfig", "thinking_config"));
  if (!thinking) return undefined;
  const level = asText(either(thinking, "thinkingLevel", "thinking_level"))?.toLowerCase();
  if (level !== undefined && isEffort(level)) return { effort: level };
  const budget = optionalNumber(either(thinking, "thinkingBudget", "thinking_budget"), "thinkingConfig.thinkingBudget");
  // A caller that only sets includeThoughts to false requests no reasoning.
  if (budget === undefined) return either(thinking, "includeThoughts", "include_thoughts") === true ? {} : undefined;
  // -1 lets the model choose the depth.
  return budget < 0 ? {} : { budgetTokens: budget };
}

/**
 * Refused: without Google's cached content another provider would produce a different response, and no other provider
 * here returns audio.
 */
function refuseOwn(body: Json, config: Json): void {
  if (either(body, "cachedContent", "cached_content"))
    throw invalidField("cachedContent", "is not supported for this model: its provider has no such cache");
  if (asList(either(config, "responseModalities", "response_modalities")).includes("AUDIO"))
    throw invalidField("generationConfig.responseModalities", "AUDIO is not supported for this model");
  if (asObjects(toArray(either(config, "responseFormat", "response_format"))).some(({ audio }) => asObject(audio)))
    throw invalidField("generationConfig.responseFormat", "audio is not supported for this model");
}

/**
 * Parses a generateContent body into the internal form; the model and streaming are in its path. Throws RelayError
 * invalid_request.
 */
export function parseGeminiRequest(value: unknown, { model, stream }: PathValues): ChatRequest {
  const body = requireObject(value, "body");
  const config = asObject(either(body, "generationConfig", "generation_config")) ?? {};
  refuseOwn(body, config);
  refuseForcedOwnTool(body);
  const number = (camel: string, snake: string): number | undefined =>
    optionalNumber(either(config, camel, snake), `generationConfig.${camel}`);
  return compact({
    model,
    system: [
      ...parseParts(either(body, "systemInstruction", "system_instruction"), "systemInstruction"),
      ...enumInstruction(config),
    ],
    messages: parseContents(requireList(toArray(body["contents"]), "contents")),
    stream,
    includeUsage: true,
    maxOutputTokens: optionalTokenBound(
      either(config, "maxOutputTokens", "max_output_tokens"),
      "generationConfig.maxOutputTokens",
    ),
    temperature: optionalNumber(config["temperature"], "generationConfig.temperature"),
    topP: number("topP", "top_p"),
    topK: number("topK", "top_k"),
    stop: optionalTexts(either(config, "stopSequences", "stop_sequences"), "generationConfig.stopSequences"),
    seed: optionalNumber(config["seed"], "generationConfig.seed"),
    presencePenalty: number("presencePenalty", "presence_penalty"),
    frequencyPenalty: number("frequencyPenalty", "frequency_penalty"),
    candidateCount: number("candidateCount", "candidate_count"),
    tools: allowedTools(body),
    webSearch: searchAmong(body["tools"]),
    toolChoice: parseToolChoice(body),
    responseFormat: parseFormat(config),
    reasoning: parseReasoning(config),
    serviceTier: parseServiceTier(either(body, "serviceTier", "service_tier")),
  });
}
