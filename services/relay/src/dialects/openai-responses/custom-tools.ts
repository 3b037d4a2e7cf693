import type { Json } from "../../core/chat/chat.ts";
import { asObject, asObjects, asText, parseJson } from "../../core/chat/json.ts";

/** Whether a tool takes plain text instead of arguments. */
export const isCustomTool = (tool: unknown): boolean => asObject(tool)?.["type"] === "custom";

const INPUT_ALONE: Json = { type: "object", properties: { input: { type: "string" } }, required: ["input"] };

/** A tool of plain text as a function of one text, for chat; a grammar is told in words, nobody holds the model to it. */
export function asFunctionTool({ name, description, format }: Json): Json {
  const { definition, syntax } = asObject(format) ?? {};
  const grammar =
    asText(definition) && `The input must follow this grammar (${asText(syntax) ?? "lark"}):\n${asText(definition)}`;
  const told = [asText(description), grammar].filter(Boolean).join("\n\n");
  return { type: "function", function: { name, description: told, parameters: INPUT_ALONE } };
}

/** What such a tool was called with, as the arguments of that function. */
export const argumentsOfInput = (input: unknown): string => JSON.stringify({ input });

/** The text among the arguments; whatever else a model wrote stands for itself. */
export const inputOfArguments = (argumentsText: string): string =>
  argumentsText === "{}" ? "" : (asText(asObject(parseJson(argumentsText))?.["input"]) ?? argumentsText);

/** The names of such tools among those that were offered. */
export const customNames = (asked: Json | undefined): ReadonlySet<string> =>
  new Set(asObjects(asked?.["tools"]).flatMap((tool) => (isCustomTool(tool) ? [asText(tool["name"]) ?? ""] : [])));
