import type { Json } from "../core/chat/chat.ts";
import { asList, asObject, asText } from "../core/chat/json.ts";

/** Maximum characters logged per part, to bound the size of a log row. */
const CHARACTERS_MAX = 8_000;

const cut = (text: string): string => (text.length > CHARACTERS_MAX ? `${text.slice(0, CHARACTERS_MAX)}…` : text);

const written = (value: unknown): string => (typeof value === "string" ? value : (JSON.stringify(value) ?? ""));

/** Files and audio are not logged: their bytes are too large. */
const withoutData = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? null, (_, field: unknown) =>
      typeof field === "string" && /^(data:|[A-Za-z0-9+/]{512})/.test(field) ? "…" : field,
    ),
  ) as unknown;

const getText = (message: unknown): string => {
  const { content, parts } = asObject(message) ?? {};
  return cut(written(withoutData(content ?? parts ?? message)));
};

const TURNS = ["messages", "contents", "input"] as const;
const PROMPTS = ["prompt", "input", "query"] as const;

/** The system prompt, for formats with a separate field for it. */
const getSystem = ({ system, systemInstruction, system_instruction, instructions }: Json): Json[] =>
  [system, systemInstruction ?? system_instruction, instructions]
    .filter(Boolean)
    .map((value) => ({ role: "system", content: asObject(value) ? getText(value) : getText({ content: value }) }));

/** The caller's last message, and the messages before it. */
function requestedIn(body: Json): { readonly input: string; readonly context: readonly unknown[] } {
  const turns = TURNS.map((field) => asList(body[field])).find((list) => typeof list[0] === "object") ?? [];
  if (turns.length === 0)
    return { input: cut(written(PROMPTS.map((field) => body[field]).find(Boolean) ?? "")), context: getSystem(body) };
  const getRole = (turn: unknown): string => asText(asObject(turn)?.["role"]) ?? "";
  const last = turns.findLastIndex((turn) => getRole(turn) === "user");
  const at = last < 0 ? turns.length - 1 : last;
  const others = turns.filter((_, index) => index !== at);
  const context = others.map((turn) => ({ role: getRole(turn), content: getText(turn) }));
  return { input: getText(turns[at]), context: [...getSystem(body), ...context] };
}

export type Transcript = ReturnType<typeof createTranscript>;

/** The logged prompt and response, with bounded length. */
export function createTranscript(body: Json) {
  let response = "";
  return {
    /** Resets the response: an attempt failed before any of it was sent. */
    begin: (): void => {
      response = "";
    },
    add(text: string): void {
      if (response.length <= CHARACTERS_MAX) response += text;
    },
    /** The fields of the log row, computed when it is written. */
    toLogFields(): Record<string, unknown> {
      const { input, context } = requestedIn(body);
      const kept: unknown[] = [];
      let left = CHARACTERS_MAX;
      // The latest messages are the most relevant.
      for (const turn of context.toReversed()) {
        left -= JSON.stringify(turn).length;
        if (left < 0) break;
        kept.unshift(turn);
      }
      return { input_content: input, context: JSON.stringify(kept), output_content: cut(response) };
    },
  };
}
