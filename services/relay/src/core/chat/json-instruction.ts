import type { ChatRequest, ContentPart, Json, ResponseFormat } from "./chat.ts";

const isOfObjects = ({ type, items }: Json): boolean => (type === undefined ? items === undefined : type === "object");

/** An instruction to return JSON, for models without a parameter for it; undefined if plain text is requested. */
export function jsonInstruction(format: ResponseFormat | undefined): string | undefined {
  if (!format || format.type === "text") return undefined;
  const what = format.type === "json-schema" && !isOfObjects(format.schema) ? "JSON value" : "JSON object";
  const ask = `Answer with one ${what} and nothing else: no explanation, no Markdown fence.`;
  return format.type === "json" ? ask : `${ask} It must match this JSON schema: ${JSON.stringify(format.schema)}`;
}

const speaksOfJson = ({ system, messages }: ChatRequest): boolean => {
  const isSaid = (part: ContentPart): boolean => part.type === "text" && /json/i.test(part.text);
  return system.some(isSaid) || messages.some(({ parts }) => parts.some(isSaid));
};

/**
 * Adds the response format to the prompt as an instruction where OpenAI requires it: JSON that no message mentions, and
 * schemas of non-objects, which OpenAI does not accept as a format. Source: OpenAI guide, "Structured model outputs".
 */
export function withFormatInstruction(request: ChatRequest): ChatRequest {
  const { responseFormat: format, ...free } = request;
  const isTaken = format?.type === "json-schema" ? isOfObjects(format.schema) : format?.type === "text";
  if (!format || isTaken || (format.type === "json" && speaksOfJson(request))) return request;
  const system: ContentPart[] = [...request.system, { type: "text", text: jsonInstruction(format) ?? "" }];
  return format.type === "json" ? { ...request, system } : { ...free, system };
}
