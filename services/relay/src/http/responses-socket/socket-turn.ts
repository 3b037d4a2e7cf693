import type { Json } from "../../core/chat/chat.ts";
import { readExactJson } from "../../core/chat/exact-json.ts";
import { asList, asObject, asText } from "../../core/chat/json.ts";
import { checkBodyKeys } from "../../core/chat/request-keys.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { patchTopLevel, removeTopLevel } from "../../core/call/body-patch.ts";

/** A response that was not stored, and the conversation that it ended: the connection keeps the latest one. */
export type Conversation = { readonly id: string; readonly items: readonly unknown[]; readonly characters: number };

/** A response that a frame requests. */
export type Turn = {
  /** The body of the HTTP call that creates the same response. */
  readonly bodyText: string;
  /** The response that the frame continues. */
  readonly previousId: string | undefined;
  /** The whole input, with the conversation that it continues. */
  readonly items: readonly unknown[];
  /** False if the frame only hands over its input, for later responses. */
  readonly generates: boolean;
  readonly isStored: boolean;
};

const PREVIOUS = "previous_response_id";
/** Fields of frames that the HTTP call does not have. */
const SOCKET_FIELDS = ["type", "generate", "client_metadata", "stream_options"] as const;

const invalid = (param: string, text: string): RelayError =>
  new RelayError("invalid_request", `${param}: ${text}`, { param });

/** Parses a frame; throws invalid_request if it is not a `response.create` event. */
export function parseFrame(text: string): Json {
  let parsed: unknown;
  try {
    parsed = readExactJson(text);
  } catch (cause) {
    throw new RelayError("invalid_request", "the frame is not valid JSON", { cause });
  }
  const event = asObject(parsed);
  if (!event) throw new RelayError("invalid_request", "the frame must be a JSON object");
  if (event["type"] !== "response.create") throw invalid("type", "must be response.create");
  checkBodyKeys(text);
  return event;
}

function toItems(input: unknown): readonly unknown[] {
  if (typeof input === "string") return input === "" ? [] : [{ type: "message", role: "user", content: input }];
  return asList(input);
}

/** Outputs of calls that the conversation does not contain: providers differ in what they do with them. */
function checkOutputs(conversation: readonly unknown[], added: readonly unknown[]): void {
  const calls = new Set<unknown>();
  for (const value of [...conversation, ...added]) {
    const item = asObject(value);
    const type = asText(item?.["type"]) ?? "";
    if (type.endsWith("_call")) calls.add(item?.["call_id"] ?? item?.["id"]);
    const callId = item?.["call_id"];
    if (type.endsWith("_call_output") && callId !== undefined && !calls.has(callId))
      throw new RelayError(
        "invalid_request",
        `input: no tool call found for the output with call_id ${JSON.stringify(callId)}`,
        {
          param: "input",
        },
      );
  }
}

const readPrevious = (event: Json): string | undefined => {
  const id = event[PREVIOUS] ?? undefined;
  if (id !== undefined && typeof id !== "string") throw invalid(PREVIOUS, "must be a string");
  return id === "" ? undefined : id;
};

function checkFields(event: Json): void {
  if (event["background"] === true)
    throw new RelayError("unsupported_parameter", "background: is not supported over a WebSocket", {
      param: "background",
    });
  for (const name of ["generate", "store"])
    if (event[name] !== undefined && event[name] !== null && typeof event[name] !== "boolean")
      throw invalid(name, "must be true or false");
}

/**
 * Reads the turn that a frame requests. A turn that continues the connection's latest response sends the whole
 * conversation, so that every provider and channel can serve it; responses that the provider stores are continued there.
 * Throws previous_response_not_found for a response that is no longer stored.
 */
export function readTurn(text: string, event: Json, latest: Conversation | undefined): Turn {
  checkFields(event);
  const previousId = readPrevious(event);
  const isStored = event["store"] !== false;
  const isContinued = previousId !== undefined && previousId === latest?.id;
  if (previousId !== undefined && !isContinued && !isStored)
    throw new RelayError(
      "previous_response_not_found",
      `${PREVIOUS}: not found; send the whole conversation instead (without encrypted reasoning)`,
      { param: PREVIOUS },
    );
  const added = toItems(event["input"]);
  const before = isContinued ? latest.items : [];
  if (isContinued) checkOutputs(before, added);
  const items = [...before, ...added];
  const own = removeTopLevel(text, isContinued ? [...SOCKET_FIELDS, PREVIOUS] : SOCKET_FIELDS);
  const bodyText = patchTopLevel(own, { stream: true, ...(isContinued ? { input: items } : {}) });
  return { bodyText, previousId, items, generates: event["generate"] !== false, isStored };
}

/** Reasoning without encrypted content cannot be sent back: it is stored nowhere. */
const isRepeatable = (value: unknown): boolean => {
  const item = asObject(value);
  return item?.["type"] !== "reasoning" || typeof item["encrypted_content"] === "string";
};

/** The conversation after a response that is not stored; undefined if the provider stores the response. */
export function continueWith(
  { items, bodyText, isStored }: Turn,
  response: Json,
  characters: number,
): Conversation | undefined {
  const id = asText(response["id"]);
  if (id === undefined || (isStored && response["store"] !== false)) return undefined;
  const output = asList(response["output"]).filter(isRepeatable);
  return { id, items: [...items, ...output], characters: bodyText.length + characters };
}
