import type { ChatRequest, ContentPart, Json, ResponseFormat } from "./chat.ts";

const isOfObjects = ({ type, items }: Json): boolean => (type === undefined ? items === undefined : type === "object");

/** Asks for JSON in words, for models that have no switch for it; undefined where plain text is wanted. */
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
 * The call with its form of answer in words as well, where OpenAI refuses to be asked without: JSON that no message speaks of, and
 * schemas of anything but objects, which it does not take at all. Source: OpenAI guide, "Structured model outputs".
 */
export function withFormInWords(request: ChatRequest): ChatRequest {
  const { responseFormat: format, ...free } = request;
  const isTaken = format?.type === "json-schema" ? isOfObjects(format.schema) : format?.type === "text";
  if (!format || isTaken || (format.type === "json" && speaksOfJson(request))) return request;
  const system: ContentPart[] = [...request.system, { type: "text", text: jsonInstruction(format) ?? "" }];
  return format.type === "json" ? { ...request, system } : { ...free, system };
}
