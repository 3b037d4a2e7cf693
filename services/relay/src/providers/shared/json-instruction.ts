import type { ChatRequest, ContentPart, Json, ResponseFormat } from "../../core/chat/chat.ts";

const isOfObjects = ({ type, items }: Json): boolean => (type === undefined ? items === undefined : type === "object");

/** An instruction to return JSON, for models without a parameter for it; undefined if plain text is requested. */
export function jsonInstruction(format: ResponseFormat | undefined): string | undefined {
  if (!format || format.type === "text") return undefined;
  const what = format.type === "json-schema" && !isOfObjects(format.schema) ? "JSON value" : "JSON object";
  const request = `Answer with one ${what} and nothing else: no explanation, no Markdown fence.`;
  return format.type === "json"
    ? request
    : `${request} It must match this JSON schema: ${JSON.stringify(format.schema)}`;
}

const mentionsJson = ({ system, messages }: ChatRequest): boolean => {
  const isMentioned = (part: ContentPart): boolean => part.type === "text" && /json/i.test(part.text);
  return system.some(isMentioned) || messages.some(({ parts }) => parts.some(isMentioned));
};

/**
 * Adds the response format to the prompt as an instruction where OpenAI requires it: JSON that no message mentions, and
 * schemas of non-objects, which OpenAI does not accept as a format. Source: OpenAI guide, "Structured model outputs".
 */
export function withFormatInstruction(request: ChatRequest): ChatRequest {
  const { responseFormat: format, ...free } = request;
  const isTaken = format?.type === "json-schema" ? isOfObjects(format.schema) : format?.type === "text";
  if (!format || isTaken || (format.type === "json" && mentionsJson(request))) return request;
  const system: ContentPart[] = [...request.system, { type: "text", text: jsonInstruction(format) ?? "" }];
  return format.type === "json" ? { ...request, system } : { ...free, system };
}
