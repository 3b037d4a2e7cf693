import type { ChatMessage, ChatRequest, ContentPart, Json } from "../../core/chat/chat.ts";
import { asObject, compact, parseJson } from "../../core/chat/json.ts";
import { refuseManyCandidates, getText, toTurns } from "../../core/chat/messages.ts";
import { plainText } from "../shared/plain-text.ts";
import { toolNamesById } from "../../core/chat/tool-calls.ts";

type ToolCall = Extract<ContentPart, { type: "tool-call" }>;
type ToolResult = Extract<ContentPart, { type: "tool-result" }>;

const FILLER = "...";
const TEMPERATURE_MIN = 0.01;
const MAX_TOKENS = { min: 2, max: 2048 } as const;

const writeCall = ({ name, argumentsText }: ToolCall, content: string): Json => ({
  role: "assistant",
  content,
  function_call: { name, arguments: argumentsText || "{}" },
});

/** Function results must be JSON here. */
function writeResult({ id, name, parts }: ToolResult, names: ReadonlyMap<string, string>): Json {
  const text = getText(parts, "\n");
  const content = asObject(parseJson(text)) ? text : JSON.stringify({ result: text });
  return { role: "function", name: name ?? names.get(id) ?? id, content };
}

const isText = (part: ContentPart): boolean => part.type !== "tool-call" && part.type !== "tool-result";

/** Only one call at a time is supported: parallel calls become sequential, each followed by its result. */
function writeCalls(turn: ChatMessage, next: ChatMessage | undefined, names: ReadonlyMap<string, string>): Json[] {
  const text = plainText(turn.parts.filter(isText));
  const results = new Map(
    (next?.parts ?? []).flatMap((part) => (part.type === "tool-result" ? [[part.id, part]] : [])),
  );
  const written = turn.parts.flatMap((call) => {
    const result = call.type === "tool-call" ? results.get(call.id) : undefined;
    return call.type === "tool-call" && result ? [writeCall(call, text), writeResult(result, names)] : [];
  });
  return written.length > 0 ? written : [{ role: "assistant", content: text || FILLER }];
}

/**
 * An odd number of messages, alternating between user and assistant, the user first and last; function results take the
 * user's position.
 */
function writeMessages(messages: readonly ChatMessage[]): Json[] {
  const names = toolNamesById(messages);
  const turns = toTurns(messages);
  const written: Json[] = turns[0]?.role === "user" ? [] : [{ role: "user", content: FILLER }];
  turns.forEach((turn, index) => {
    if (turn.parts.some(({ type }) => type === "tool-call")) {
      for (const message of writeCalls(turn, turns[index + 1], names)) written.push(message);
      return;
    }
    const content = plainText(turn.parts.filter(isText));
    if (content === "") return;
    // A function result takes the user's position: a user message after it needs a turn in between.
    const isBehindResult = turn.role === "user" && written.at(-1)?.["role"] === "function";
    if (isBehindResult) written.push({ role: "assistant", content: FILLER });
    written.push({ role: turn.role, content });
  });
  const last = written.at(-1)?.["role"];
  return last === "user" || last === "function" ? written : [...written, { role: "user", content: FILLER }];
}

function writeTools({ tools, toolChoice }: ChatRequest): Json {
  if (!tools || tools.length === 0 || toolChoice?.type === "none") return {};
  return compact({
    functions: tools.map(({ name, description, parameters }) => ({
      name,
      description: description ?? name,
      parameters: { type: "object", properties: {}, ...parameters },
    })),
    tool_choice: toolChoice?.type === "tool" ? { type: "function", function: { name: toolChoice.name } } : undefined,
  });
}

const within = (value: number | undefined, min: number, max: number): number | undefined =>
  value === undefined ? undefined : Math.min(Math.max(value, min), max);

/** Builds a body of Wenxin's chat. */
export function buildBaiduBody(request: ChatRequest): Json {
  refuseManyCandidates(request);
  const { responseFormat } = request;
  return compact({
    messages: writeMessages(request.messages),
    stream: request.stream || undefined,
    system: getText(request.system, "\n\n") || undefined,
    temperature: within(request.temperature, TEMPERATURE_MIN, 1),
    top_p: within(request.topP, 0, 1),
    stop: request.stop,
    max_output_tokens: within(request.maxOutputTokens, MAX_TOKENS.min, MAX_TOKENS.max),
    response_format: responseFormat && responseFormat.type !== "text" ? "json_object" : undefined,
    user_id: request.user,
    ...writeTools(request),
  });
}
