import { createHash } from "node:crypto";
import type { Json } from "../../core/chat/chat.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";
import {
  type BodyRule,
  clamp,
  developerAsSystem,
  drop,
  inOrder,
  keepOnly,
  mapMessages,
  mapParts,
  rename,
} from "../shared/body-rules.ts";

/** All fields that Mistral accepts; any other gives 422. */
const FIELDS: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "temperature",
  "top_p",
  "max_tokens",
  "stream",
  "stop",
  "random_seed",
  "response_format",
  "tools",
  "tool_choice",
  "presence_penalty",
  "frequency_penalty",
  "n",
  "prediction",
  "parallel_tool_calls",
  "prompt_mode",
  "safe_prompt",
  "metadata",
  "guardrails",
]);
const MESSAGE_FIELDS: ReadonlySet<string> = new Set(["role", "content", "tool_calls", "tool_call_id", "prefix"]);
const OWN_ID = /^[a-zA-Z0-9]{9}$/;

/** Maps any id to nine letters and digits. The mapping is deterministic, so that calls and results match. */
const shortId = (id: string): string =>
  OWN_ID.test(id) ? id : createHash("sha256").update(id).digest("hex").slice(0, 9);

function writeImage(part: Json): Json {
  const url = asText(asObject(part["image_url"])?.["url"]);
  return part["type"] === "image_url" && url !== undefined ? { type: "image_url", image_url: url } : part;
}

function writeIds(message: Json): Json {
  const parseResult = asText(message["tool_call_id"]);
  if (parseResult !== undefined && !OWN_ID.test(parseResult)) return { ...message, tool_call_id: shortId(parseResult) };
  const calls = asList(message["tool_calls"]).map((call) => asObject(call) ?? {});
  if (calls.every(({ id }) => OWN_ID.test(asText(id) ?? ""))) return message;
  return { ...message, tool_calls: calls.map((call) => ({ ...call, id: shortId(asText(call["id"]) ?? "") })) };
}

function keepKnown(message: Json): Json {
  // Only tool results have names; elsewhere they are refused as "extra".
  const isKnown = (name: string): boolean =>
    MESSAGE_FIELDS.has(name) || (name === "name" && message["role"] === "tool");
  const known = Object.entries(message).filter(([name]) => isKnown(name));
  return known.length === Object.keys(message).length ? message : Object.fromEntries(known);
}

const messages: BodyRule = (body) => mapMessages(body, (message) => mapParts(writeIds(keepKnown(message)), writeImage));

/** OpenAI's functions may omit empty parameters. */
const parameters: BodyRule = (body) => {
  let isChanged = false;
  const tools = asList(body["tools"]).map((value) => {
    const called = asObject(asObject(value)?.["function"]);
    if (!called || called["parameters"] !== undefined) return value;
    isChanged = true;
    return { ...asObject(value), function: { ...called, parameters: { type: "object", properties: {} } } };
  });
  return isChanged ? { ...body, tools } : body;
};

/** Placeholder where Mistral requires an assistant turn. */
const BRIDGE: Json = { role: "assistant", content: "OK." };

/**
 * Mistral's message order (its error code 3230): no user turn after a tool turn, and no final assistant turn except as
 * a prefix of the response.
 */
const order: BodyRule = (body) => {
  const sent = asList(body["messages"]).map((message) => asObject(message) ?? {});
  const bridged = sent.flatMap((message, index) =>
    message["role"] === "user" && sent[index - 1]?.["role"] === "tool" ? [BRIDGE, message] : [message],
  );
  const last = bridged.at(-1);
  const isPrefix = last?.["role"] === "assistant" && last["prefix"] === undefined && last["tool_calls"] === undefined;
  if (isPrefix) bridged[bridged.length - 1] = { ...last, prefix: true };
  return isPrefix || bridged.length > sent.length ? { ...body, messages: bridged } : body;
};

/** Only supported fields, images as plain URLs, tool call ids and message order as Mistral requires. */
export const mistralRules: BodyRule = inOrder(
  rename("max_completion_tokens", "max_tokens"),
  rename("seed", "random_seed"),
  clamp("temperature", 0, 1.5),
  keepOnly(FIELDS),
  developerAsSystem,
  messages,
  parameters,
  order,
);

/** Embeddings: vectors are lists of floats, the dimensions have another name, and `user` is not supported. */
export const mistralEmbeddingRules: BodyRule = inOrder(
  rename("dimensions", "output_dimension"),
  drop("encoding_format", "user"),
);
