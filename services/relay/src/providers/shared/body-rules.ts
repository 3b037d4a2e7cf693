import type { Json } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import type { Target } from "../contract/target.ts";

/** Changes a chat completions body for one provider. Returns the same object if nothing has to change. */
export type BodyRule = (body: Json, target: Target) => Json;

/** Applies the rules in order. */
export const inOrder =
  (...rules: readonly BodyRule[]): BodyRule =>
  (body, target) =>
    rules.reduce((changed, rule) => rule(changed, target), body);

const without = (body: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** Removes fields that the provider refuses. */
export const drop =
  (...names: readonly string[]): BodyRule =>
  (body) =>
    names.some((name) => name in body) ? without(body, names) : body;

/** Removes every field that is not listed, for providers that refuse unknown fields. */
export function keepOnly(names: ReadonlySet<string>): BodyRule {
  return (body) => {
    const unknown = Object.keys(body).filter((name) => !names.has(name));
    return unknown.length === 0 ? body : without(body, unknown);
  };
}

/** Renames a field to the provider's name; an existing value under that name wins. */
export const rename =
  (from: string, to: string): BodyRule =>
  (body) =>
    body[from] === undefined ? body : { ...without(body, [from]), [to]: body[to] ?? body[from] };

/** Clamps a number to the provider's range. */
export const clamp =
  (name: string, min: number, max: number): BodyRule =>
  (body) => {
    const value = asNumber(body[name]);
    if (value === undefined || (value >= min && value <= max)) return body;
    return { ...body, [name]: Math.min(Math.max(value, min), max) };
  };

/** A single stop text as a list. */
export const stopAsList: BodyRule = (body) =>
  typeof body["stop"] === "string" ? { ...body, stop: [body["stop"]] } : body;

/** Converts `reasoning_effort` to the parameter `thinking: {type}`; a value the caller set under that name stays. */
export const convertEffortToThinking: BodyRule = (body, target) => {
  const effort = asText(body["reasoning_effort"]);
  if (effort === undefined) return drop("reasoning_effort")(body, target);
  const type = effort === "none" ? "disabled" : "enabled";
  return { ...without(body, ["reasoning_effort"]), thinking: body["thinking"] ?? { type } };
};

/** Maps the messages one by one; returns the same body if every message stayed the same object. */
export function mapMessages(body: Json, change: (message: Json) => Json): Json {
  let isChanged = false;
  const messages = asList(body["messages"]).map((value) => {
    const message = asObject(value);
    if (!message) return value;
    const changed = change(message);
    isChanged ||= changed !== message;
    return changed;
  });
  return isChanged ? { ...body, messages } : body;
}

/** Maps the parts of a message's content one by one; string contents stay. */
export function mapParts(message: Json, change: (part: Json) => unknown): Json {
  const parts = message["content"];
  if (!Array.isArray(parts)) return message;
  let isChanged = false;
  const content = (parts as unknown[]).map((value) => {
    const part = asObject(value);
    const changed = part ? change(part) : value;
    isChanged ||= changed !== value;
    return changed;
  });
  return isChanged ? { ...message, content } : message;
}

/** OpenAI's newer `developer` role becomes `system`: DeepSeek and other providers refuse the call otherwise. */
export const developerAsSystem: BodyRule = (body) =>
  mapMessages(body, (message) => (message["role"] === "developer" ? { ...message, role: "system" } : message));

const asParts = (content: unknown): readonly unknown[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : asList(content);

function joinContent(first: unknown, second: unknown): unknown {
  if (typeof first === "string" && typeof second === "string") return `${first}\n\n${second}`;
  return [...asParts(first), ...asParts(second)];
}

/** Merges neighbours of one role, for providers that refuse two messages of one role in a row. */
export const mergeNeighbours: BodyRule = (body) => {
  const messages = asList(body["messages"]).map((message) => asObject(message) ?? {});
  const merged: Json[] = [];
  for (const message of messages) {
    const last = merged.at(-1);
    if (last && last["role"] === message["role"] && message["role"] !== "tool") {
      merged[merged.length - 1] = { ...last, content: joinContent(last["content"], message["content"]) };
    } else merged.push(message);
  }
  return merged.length === messages.length ? body : { ...body, messages: merged };
};
