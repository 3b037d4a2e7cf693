import { isRecord } from "../../lib/record.ts";

/** The content of one event of a response; `error` is the failure, if any. */
export type Delta = { readonly content: string; readonly reasoning: string; readonly error?: string };

const text = (value: unknown): string => (typeof value === "string" ? value : "");

/** The message of an error object; undefined when the body has none. */
export function parseStreamError(body: unknown): string | undefined {
  if (!isRecord(body) || body["error"] === undefined || body["error"] === null) return undefined;
  const { error } = body;
  if (!isRecord(error)) return text(error) || JSON.stringify(error);
  return text(error["message"]) || JSON.stringify(error);
}

/** Parses a chat event or a non-streaming chat response; undefined for any other value. */
export function parseDelta(body: unknown): Delta | undefined {
  const error = parseStreamError(body);
  if (error !== undefined) return { content: "", reasoning: "", error };
  if (!isRecord(body) || !Array.isArray(body["choices"])) return undefined;
  const [choice] = body["choices"] as unknown[];
  const message = isRecord(choice) ? (choice["delta"] ?? choice["message"]) : undefined;
  if (!isRecord(message)) return { content: "", reasoning: "" };
  return {
    content: text(message["content"]),
    reasoning: text(message["reasoning_content"]) || text(message["reasoning"]),
  };
}

/** Splits a stream's text into the data of complete events; comments are dropped. */
export function createEventReader() {
  let rest = "";
  return (chunk: string): string[] => {
    const lines = (rest + chunk).split(/\r?\n/);
    rest = lines.pop() ?? "";
    return lines.flatMap((line) => (line.startsWith("data:") ? [line.slice("data:".length).trim()] : []));
  };
}
