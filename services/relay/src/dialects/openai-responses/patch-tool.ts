import type { Json } from "../../core/chat/chat.ts";
import { asObject, asText, compact, parseJson } from "../../core/chat/json.ts";

/** The tool whose changes of files the caller applies. Source: OpenAI API reference, "Responses", tool `apply_patch`. */
export const APPLY_PATCH = "apply_patch";

const OPERATIONS = ["create_file", "update_file", "delete_file"] as const;
const PARAMETERS: Json = {
  type: "object",
  properties: {
    type: { type: "string", enum: OPERATIONS },
    path: { type: "string" },
    diff: {
      type: "string",
      description:
        "A V4A diff: sections that begin with @@, lines that begin with +, - or a space. A new file has only + lines. Omitted to delete a file.",
    },
  },
  required: ["type", "path"],
};

/** The tool as a function for chat. */
export const asPatchFunction = (): Json => ({
  type: "function",
  function: { name: APPLY_PATCH, description: "Creates, updates or deletes one file.", parameters: PARAMETERS },
});

/** The field of a patch call. */
export function writeOperation(argumentsText: string): Json {
  const { type, path, diff } = asObject(parseJson(argumentsText)) ?? {};
  return { operation: compact({ type: asText(type) ?? "update_file", path: asText(path) ?? "", diff: asText(diff) }) };
}

/** The outcome of a patch as text. */
export const toPatchText = ({ status, output }: Json): string =>
  [asText(status), asText(output)].filter(Boolean).join(": ");
