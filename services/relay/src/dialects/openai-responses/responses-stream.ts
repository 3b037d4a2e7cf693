import { toMarkdownMedia } from "../../core/chat/response-media.ts";
import type { Citation, Json, StreamPart } from "../../core/chat/chat.ts";
import { parseJson } from "../../core/chat/json.ts";
import type { RelayError } from "../../core/errors/relay-error.ts";
import { errorText } from "../shared/error-text.ts";
import type { ResponseContext, StreamWriter } from "../../core/call/dialect.ts";
import { typedEvent } from "../shared/sse.ts";
import { customNames, inputOfArguments } from "./custom-tools.ts";
import { annotationsOf } from "./responses-web-search.ts";
import {
  asCut,
  callItem,
  customItem,
  endedResponse,
  isIncomplete,
  messageItem,
  reasoningItem,
  runningResponse,
  summaryPart,
  textPart,
} from "./responses-wire.ts";
import { encryptedField, wantsEncryptedReasoning } from "../../core/chat/encrypted-reasoning.ts";

type Item = {
  readonly kind: "message" | "reasoning" | "call" | "custom";
  readonly id: string;
  readonly at: number;
  readonly callId: string;
  readonly name: string;
  text: string;
  isClosed: boolean;
  citations?: readonly Citation[];
  /** The response was cut off within this item. */
  isCut?: boolean;
  /** The encrypted content of a reasoning item, for callers who send it back. */
  seal?: Json;
};

const PREFIX = { message: "msg", reasoning: "rs", call: "fc", custom: "ctc" } as const;

function written(item: Item, isDone: boolean): Json {
  const whole = writtenWhole(item, isDone);
  return item.isCut ? asCut(whole) : whole;
}

function writtenWhole(item: Item, isDone: boolean): Json {
  const text = isDone ? item.text : undefined;
  if (item.kind === "message") return messageItem(item.id, text, item.citations);
  if (item.kind === "reasoning") return reasoningItem(item.id, text, item.seal);
  const call = { id: item.callId, name: item.name, argumentsText: isDone ? item.text || "{}" : undefined };
  return item.kind === "custom" ? customItem(item.id, call) : callItem(item.id, call);
}

/** Writes an event with the next sequence number. */
type Emit = (type: string, data: Json) => string;

const of = (item: Item): Json => ({ item_id: item.id, output_index: item.at });
const inText = (item: Item): Json => ({ ...of(item), content_index: 0 });
const inSummary = (item: Item): Json => ({ ...of(item), summary_index: 0 });

/** Writes the events that open the content of an item; `closePart` writes those that close it. */
function openPart(item: Item, event: Emit): string {
  if (item.kind === "message") return event("response.content_part.added", { ...inText(item), part: textPart("") });
  return ""; // Reasoning may have no readable text: its summary opens with the first text.
}

function closePart(item: Item, event: Emit): string {
  const { text } = item;
  if (item.kind === "message") {
    const cited = annotationsOf(item.citations ?? []).map((annotation, annotation_index) =>
      event("response.output_text.annotation.added", { ...inText(item), annotation_index, annotation }),
    );
    return (
      cited.join("") +
      event("response.output_text.done", { ...inText(item), text, logprobs: [] }) +
      event("response.content_part.done", { ...inText(item), part: textPart(text, item.citations) })
    );
  }
  if (item.kind === "call") {
    return event("response.function_call_arguments.done", { ...of(item), name: item.name, arguments: text || "{}" });
  }
  if (item.kind === "custom") {
    // The input is inside the arguments: it is known when they are complete.
    const input = inputOfArguments(text);
    return (
      event("response.custom_tool_call_input.delta", { ...of(item), delta: input }) +
      event("response.custom_tool_call_input.done", { ...of(item), input })
    );
  }
  if (text === "") return "";
  return (
    event("response.reasoning_summary_text.done", { ...inSummary(item), text }) +
    event("response.reasoning_summary_part.done", { ...inSummary(item), part: summaryPart(text) })
  );
}

/** The events of a streaming response, numbered; each item opens before its text and closes once. */
export function newResponsesStreamWriter(context: ResponseContext): StreamWriter {
  const items: Item[] = [];
  const calls = new Map<number, Item>();
  const customs = customNames(context.asked);
  const keepsSeals = wantsEncryptedReasoning(context.asked);
  let number = 0;
  const event: Emit = (type, data) => typedEvent({ type, sequence_number: number++, ...data });
  const close = (item: Item): string => {
    if (item.isClosed) return "";
    item.isClosed = true;
    return (
      closePart(item, event) + event("response.output_item.done", { output_index: item.at, item: written(item, true) })
    );
  };
  /** A new item closes text items, and calls with complete arguments: upstreams may interleave several calls. */
  const closeFinished = (): string =>
    items
      .filter(({ kind, text }) => kind === "message" || kind === "reasoning" || parseJson(text) !== undefined)
      .map(close)
      .join("");
  const open = (kind: Item["kind"], call = { callId: "", name: "" }): [Item, string] => {
    const at = items.length;
    const item: Item = {
      kind,
      id: `${PREFIX[kind]}_${context.requestId}_${at}`,
      at,
      ...call,
      text: "",
      isClosed: false,
    };
    const closed = closeFinished();
    items.push(item);
    const added = event("response.output_item.added", { output_index: at, item: written(item, false) });
    return [item, closed + added + openPart(item, event)];
  };
  const say = (kind: "message" | "reasoning", delta: string): string => {
    const last = items.at(-1);
    const [item, opened] = last?.kind === kind && !last.isClosed ? [last, ""] : open(kind);
    const isFirst = item.text === "";
    item.text += delta;
    if (kind === "message")
      return opened + event("response.output_text.delta", { ...inText(item), delta, logprobs: [] });
    const summary = { ...inSummary(item), part: summaryPart("") };
    const begun = isFirst ? event("response.reasoning_summary_part.added", summary) : "";
    return opened + begun + event("response.reasoning_summary_text.delta", { ...inSummary(item), delta });
  };
  /** Signed reasoning is an item of its own, closed by its signature. */
  const sign = (signature: string): string => {
    if (!keepsSeals) return "";
    const last = items.at(-1);
    const [item, opened] = last?.kind === "reasoning" && !last.isClosed ? [last, ""] : open("reasoning");
    item.seal = encryptedField({ type: "reasoning", text: item.text, signature });
    return opened + close(item);
  };
  const redact = (data: string): string => {
    if (!keepsSeals) return "";
    const [item, opened] = open("reasoning");
    item.seal = encryptedField({ type: "redacted-reasoning", data });
    return opened + close(item);
  };
  const addArguments = (index: number, delta: string): string => {
    const item = calls.get(index);
    if (!item || item.isClosed || delta === "") return "";
    item.text += delta;
    return item.kind === "custom" ? "" : event("response.function_call_arguments.delta", { ...of(item), delta });
  };
  /** Citation offsets count from the start of all text, so they apply only to a single text item that is still open. */
  const cite = (citations: readonly Citation[] = []): void => {
    const [message, another] = items.filter(({ kind }) => kind === "message");
    if (message && !another && !message.isClosed) message.citations = citations;
  };
  const finish = (part: Extract<StreamPart, { type: "finish" }>): string => {
    cite(part.citations);
    const last = items.at(-1);
    if (last && !last.isClosed && isIncomplete(part.reason)) last.isCut = true;
    const closed = items.map(close).join("");
    const output = items.map((item) => written(item, true));
    const response = endedResponse(context, { output, reason: part.reason, usage: part.usage });
    return closed + event(`response.${String(response["status"])}`, { response });
  };
  const start = (): string =>
    event("response.created", { response: runningResponse(context) }) +
    event("response.in_progress", { response: runningResponse(context) });

  return {
    write(part): string {
      switch (part.type) {
        case "start":
          return start();
        case "text-delta":
          return say("message", part.text);
        case "media":
          return say("message", toMarkdownMedia(part));
        case "reasoning-delta":
          return say("reasoning", part.text);
        case "reasoning-signature":
          return sign(part.signature);
        case "redacted-reasoning":
          return redact(part.data);
        case "tool-call-start": {
          const [item, opened] = open(customs.has(part.name) ? "custom" : "call", { callId: part.id, name: part.name });
          calls.set(part.index, item);
          return opened;
        }
        case "tool-call-delta":
          return addArguments(part.index, part.argumentsText);
        case "finish":
          return finish(part);
        default:
          return "";
      }
    },
    fail(error: RelayError, requestId: string): string {
      const code = error.upstream?.code ?? error.code;
      const told = { code, message: errorText(error, requestId), param: error.param ?? null };
      // Documented as flat, but OpenAI's own client throws only if there is a nested `error`, which the real API sends.
      const type = error.upstream?.type ?? "turnpike_error";
      return event("error", { ...told, error: { type, ...told } });
    },
  };
}
