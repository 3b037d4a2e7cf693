import { isRecord } from "../../lib/check.ts";

/** What one event of an answer brings; `error` is what went wrong instead. */
export type Delta = { readonly content: string; readonly reasoning: string; readonly error?: string };

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** What an error object says, undefined where the body holds none. */
export function parseStreamError(body: unknown): string | undefined {
  if (!isRecord(body) || body["error"] === undefined || body["error"] === null) return undefined;
  const { error } = body;
  if (!isRecord(error)) return text(error) || JSON.stringify(error);
  return text(error["message"]) || JSON.stringify(error);
}

/** Reads an event or a whole answer of chat; undefined where it is neither. */
export function parseDelta(body: unknown): Delta | undefined {
  const error = parseStreamError(body);
  if (error !== undefined) return { content: "", reasoning: "", error };
  if (!isRecord(body) || !Array.isArray(body["choices"])) return undefined;
  const [choice] = body["choices"] as unknown[];
  const said = isRecord(choice) ? (choice["delta"] ?? choice["message"]) : undefined;
  if (!isRecord(said)) return { content: "", reasoning: "" };
  return { content: text(said["content"]), reasoning: text(said["reasoning_content"]) || text(said["reasoning"]) };
}

/** Takes a stream's text as it comes and gives the data of the events that are whole; comments are left out. */
export function createEventReader() {
  let rest = "";
  return (chunk: string): string[] => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    return lines.flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length).trim()] : []));
  };
}
