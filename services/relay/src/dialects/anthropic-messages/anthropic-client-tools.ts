import type { ChatTool, Json } from "../../core/chat/chat.ts";
import { asObject, asText } from "../../core/chat/json.ts";

/** The tools whose parameters Anthropic's models know and the caller runs, without those that operate a screen. */
const CLIENT_TYPE = /^(bash|text_editor|memory)_\d+$/;

const TEXT = { type: "string" };
const INTEGER = { type: "integer" };

const object = (properties: Json, ...required: readonly string[]): Json => ({ type: "object", properties, required });

const BASH: ChatTool = {
  name: "bash",
  description:
    "Runs a command in a bash shell that keeps its state between calls. Give a command, or set restart to start the shell anew.",
  parameters: object({ command: TEXT, restart: { type: "boolean" } }),
};

/** The first versions of the editor can undo; the latest one names the text to insert. */
function getEditor(type: string): ChatTool {
  const canUndo = type === "text_editor_20241022" || type === "text_editor_20250124";
  const inserted = type === "text_editor_20250728" ? "insert_text" : "new_str";
  const commands = ["view", "create", "str_replace", "insert", ...(canUndo ? ["undo_edit"] : [])];
  return {
    name: canUndo ? "str_replace_editor" : "str_replace_based_edit_tool",
    description:
      "Views and edits text files. view: shows a file, or the lines of view_range, or lists a directory. create: writes " +
      "file_text to path. str_replace: replaces old_str, which occurs exactly once, by new_str. " +
      `insert: inserts ${inserted} after the line insert_line.${canUndo ? " undo_edit: takes back the last edit." : ""}`,
    parameters: object(
      {
        command: { type: "string", enum: commands },
        path: TEXT,
        view_range: { type: "array", items: INTEGER },
        file_text: TEXT,
        old_str: TEXT,
        new_str: TEXT,
        insert_line: INTEGER,
        [inserted]: TEXT,
      },
      "command",
      "path",
    ),
  };
}

const MEMORY: ChatTool = {
  name: "memory",
  description:
    "Keeps notes in files below /memories, which last beyond the conversation; look there first. view: shows a file, or " +
    "the lines of view_range, or lists a directory. create: writes file_text to path. str_replace: replaces old_str by " +
    "new_str. insert: inserts insert_text after the line insert_line. delete: removes path. rename: moves old_path to new_path.",
  parameters: object(
    {
      command: { type: "string", enum: ["view", "create", "str_replace", "insert", "delete", "rename"] },
      path: TEXT,
      view_range: { type: "array", items: INTEGER },
      file_text: TEXT,
      old_str: TEXT,
      new_str: TEXT,
      insert_line: INTEGER,
      insert_text: TEXT,
      old_path: TEXT,
      new_path: TEXT,
    },
    "command",
  ),
};

/** Whether a tool is defined by Anthropic and run by the caller, in a way that other models can use, too. */
export const isClientTool = (value: unknown): boolean => CLIENT_TYPE.test(asText(asObject(value)?.["type"]) ?? "");

/**
 * Such a tool as a function, under the name and with the parameters by which Claude calls it; undefined for another one.
 * Source: Anthropic documentation, "Bash tool", "Text editor tool", "Memory tool"; its SDK,
 * `BetaMemoryTool20250818Command`.
 */
export function findClientTool(tool: Json): ChatTool | undefined {
  if (!isClientTool(tool)) return undefined;
  const type = asText(tool["type"]) ?? "";
  if (type.startsWith("bash")) return BASH;
  return type.startsWith("memory") ? MEMORY : getEditor(type);
}
