import type { Json } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import type { Target } from "../contract/provider.ts";

/** Changes a chat completions body as one provider wants it. Gives back the very same object when nothing has to change. */
export type BodyRule = (body: Json, target: Target) => Json;

/** The rules one after the other. */
export const inOrder =
  (...rules: readonly BodyRule[]): BodyRule =>
  (body, target) =>
    rules.reduce((changed, rule) => rule(changed, target), body);

const without = (body: Json, names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(body).filter(([name]) => !names.includes(name)));

/** Leaves fields out that the provider refuses. */
export const drop =
  (...names: readonly string[]): BodyRule =>
  (body) =>
    names.some((name) => name in body) ? without(body, names) : body;

/** Leaves every field out that is not named, for providers that refuse what they do not know. */
export function keepOnly(names: ReadonlySet<string>): BodyRule {
  return (body) => {
    const unknown = Object.keys(body).filter((name) => !names.has(name));
    return unknown.length === 0 ? body : without(body, unknown);
  };
}

/** The same field under the provider's name; what already stands under that name wins. */
export const rename =
  (from: string, to: string): BodyRule =>
  (body) =>
    body[from] === undefined ? body : { ...without(body, [from]), [to]: body[to] ?? body[from] };

/** A figure brought within what the provider takes. */
export const clamp =
  (name: string, min: number, max: number): BodyRule =>
  (body) => {
    const value = asNumber(body[name]);
    if (value === undefined || (value >= min && value <= max)) return body;
    return { ...body, [name]: Math.min(Math.max(value, min), max) };
  };

/** One stop text as a list of one. */
export const stopAsList: BodyRule = (body) =>
  typeof body["stop"] === "string" ? { ...body, stop: [body["stop"]] } : body;

/** `reasoning_effort` as the switch `thinking: {type}`; what the caller set under that name stays. */
export const effortAsThinking: BodyRule = (body, target) => {
  const effort = asText(body["reasoning_effort"]);
  if (effort === undefined) return drop("reasoning_effort")(body, target);
  const type = effort === "none" ? "disabled" : "enabled";
  return { ...without(body, ["reasoning_effort"]), thinking: body["thinking"] ?? { type } };
};

/** The messages changed one by one; the very same body when every message stayed the same object. */
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

/** The parts of a message's content changed one by one; texts that stand alone stay. */
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

/** OpenAI's newer word for the system, which the providers after it do not know: DeepSeek and others refuse the call for it. */
export const developerAsSystem: BodyRule = (body) =>
  mapMessages(body, (message) => (message["role"] === "developer" ? { ...message, role: "system" } : message));

const asParts = (content: unknown): readonly unknown[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : asList(content);

function joinContent(first: unknown, second: unknown): unknown {
  if (typeof first === "string" && typeof second === "string") return `${first}\n\n${second}`;
  return [...asParts(first), ...asParts(second)];
}

/** Neighbours of one role as one message, for providers that refuse two in a row. */
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
