import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects, asText, parseJson } from "../../core/chat/json.ts";

/** Whether a tool takes plain text instead of arguments. */
export const isCustomTool = (tool: unknown): boolean => asObject(tool)?.["type"] === "custom";

const INPUT_ALONE: Json = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };

/**
 * Converts a custom tool to a function with one text argument, for chat. A grammar is passed as an instruction, which
 * the model is not forced to follow.
 */
export function asFunctionTool({ name, description, format }: Json): Json {
  const { definition, syntax } = asObject(format) ?? {};
  const grammar =
    asText(definition) && `The input must follow this grammar (${asText(syntax) ?? "lark"}):\n${asText(definition)}`;
  const told = [asText(description), grammar].filter(Boolean).join("\n\n");
  return { type: "function", function: { name, description: told, parameters: INPUT_ALONE } };
}

/** The input of a custom tool call as the arguments of that function. */
export const argumentsOfInput = (input: unknown): string => JSON.stringify({ input });

/** The text in the arguments; if the model wrote anything else, the raw arguments. */
export const inputOfArguments = (argumentsText: string): string =>
  argumentsText === "{}" ? "" : (asText(asObject(parseJson(argumentsText))?.["input"]) ?? argumentsText);

/** The names of the custom tools among the offered tools. */
export const customNames = (asked: Json | undefined): ReadonlySet<string> =>
  new Set(asObjects(asked?.["tools"]).flatMap((tool) => (isCustomTool(tool) ? [asText(tool["name"]) ?? ""] : [])));
