import type { Json } from "../../core/chat/chat.ts";
import { asObject, asText } from "../../core/chat/json.ts";

const INPUT_ALONE: Json = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };

/**
 * Converts a custom tool to a function with one text argument, for chat. A grammar is passed as an instruction, which
 * the model is not forced to follow.
 */
export function asFunctionTool({ name, description, format }: Json): Json {
  const { definition, syntax } = asObject(format) ?? {};
  const grammar =
    asText(definition) && `The input must follow this grammar (${asText(syntax) ?? "lark"}):\n${asText(definition)}`;
  const reported = [asText(description), grammar].filter(Boolean).join("\n\n");
  return { type: "function", function: { name, description: reported, parameters: INPUT_ALONE } };
}
