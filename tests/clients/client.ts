import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Script, Step } from "./conversation.ts";
import type { Additions } from "./home.ts";
import type { Kind } from "./clients-world.ts";

/** A text in every task's prompt and in no other call. */
export const MARK = "Append the steps to notes.txt";
export const FINAL_TEXT = "All steps stand in the file.";

/** How a client is run for its task. */
export type Client = {
  /** The snippet's id. */
  readonly id: string;
  /** Where it is run in a way of its own. */
  readonly variant?: string;
  /** A short run uses models of all providers, too. */
  readonly needsAllKinds?: true;
  /** It requests responses over a WebSocket; others use none. */
  readonly usesWebSocket?: true;
  readonly additions: (prompt: string, kind: Kind) => Additions;
  readonly script: (kind: Kind) => Script;
  /** The notes that the task leaves in `notes.txt` of its working folder. */
  readonly notes: string;
  readonly timeoutMs?: number;
};

export const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** Steps of a shell tool, each of which appends a line to the notes and prints it. */
export const shellSteps = (count: number, toStep: (command: string, result: string) => Step): Step[] =>
  Array.from({ length: count }, (_, index) => toStep(`echo line-${index + 1} | tee -a notes.txt`, `line-${index + 1}`));

/** The tool that the tests give to frameworks, in Python. */
export const PYTHON_TOOL = `def append_line(line: str) -> str:
    """Appends a line to the notes."""
    with open("notes.txt", "a") as notes:
        notes.write(line + "\\n")
    return "appended " + line
`;

/** Steps of that tool. */
export const functionSteps = (count: number): Step[] =>
  Array.from({ length: count }, (_, index) => ({
    name: "append_line",
    arguments: { line: `line-${index + 1}` },
    result: `appended line-${index + 1}`,
  }));

export const toNotes = (count: number): string =>
  Array.from({ length: count }, (_, index) => `line-${index + 1}\n`).join("");

export const toScript = (steps: readonly Step[]): Script => ({ mark: MARK, steps, finalText: FINAL_TEXT });

export function readNotes(folder: string): string {
  try {
    return readFileSync(join(folder, "notes.txt"), "utf8");
  } catch {
    return "";
  }
}
