import type { ChatResponse, ContentPart, Json, StreamPart } from "../../core/chat/chat.ts";
import { toRefusal } from "../../core/chat/refusals.ts";
import { parseExactJson } from "../../core/chat/exact-json.ts";
import { asList, asObject } from "../../core/chat/json.ts";
import type { StreamEvent } from "../../core/wire/stream.ts";
import { createFrameSplitter } from "../../upstream/frame-splitter.ts";
import { unreadableResponse } from "./upstream-failure.ts";
import type { Provider } from "../contract/provider.ts";

type Finish = Extract<StreamPart, { type: "finish" }>;
type Call = { id: string; name: string; argumentsText: string };

/** The fields of a response that its last event has. */
const toEnd = ({ type: _type, reason: finishReason, detail, usage, ...others }: Finish) => ({
  finishReason,
  ...(detail === undefined ? {} : { finishDetail: detail }),
  ...others,
  usage,
});

type Texts = { text: string; refusal: string; reasoning: string; otherOutput: string };

/** Appends a delta to the text that it continues; false for other parts. */
function addText(texts: Texts, part: StreamPart): boolean {
  if (part.type === "text-delta") texts[part.isRefusal ? "refusal" : "text"] += part.text;
  else if (part.type === "reasoning-delta") texts.reasoning += part.text;
  else if (part.type === "other-output") texts.otherOutput += part.text;
  else return false;
  return true;
}

/** Joins the events of a stream into a response. Throws StreamFailure if the last event is missing. */
export function toResponse(stream: readonly StreamPart[]): ChatResponse {
  const calls: Call[] = [];
  let start = { id: "", model: "" };
  const media: Extract<StreamPart, { type: "media" }>[] = [];
  const texts: Texts = { text: "", refusal: "", reasoning: "", otherOutput: "" };
  for (const part of stream) {
    if (addText(texts, part)) continue;
    if (part.type === "start") start = part;
    else if (part.type === "media") media.push(part);
    else if (part.type === "tool-call-start") calls[part.index] = { id: part.id, name: part.name, argumentsText: "" };
    else if (part.type === "tool-call-delta") {
      const call = calls[part.index];
      if (call) call.argumentsText += part.argumentsText;
    }
  }
  const { text, refusal, reasoning, otherOutput } = texts;
  const finish = stream.at(-1);
  if (finish?.type !== "finish") throw unreadableResponse();
  const parts: ContentPart[] = [
    ...(reasoning === "" ? [] : [{ type: "reasoning" as const, text: reasoning }]),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...toRefusal(refusal),
    ...media.map(({ mediaType, data }) => ({
      type: "image" as const,
      source: { kind: "base64" as const, mediaType, data },
    })),
    ...calls.map((call) => ({ type: "tool-call" as const, ...call })),
  ];
  return {
    id: start.id,
    model: start.model,
    createdAtSeconds: 0,
    parts,
    ...toEnd(finish),
    ...(otherOutput === "" ? {} : { otherOutput }),
  };
}

const BOM = "\uFEFF";
const FIELD = /^(?:(?:event|data|id|retry)?:|\r?\n)/;
/** The longest name of a field with its colon. */
const FIELD_LENGTH = "event:".length;

/**
 * Whether a body begins as server-sent events do, whatever its content type is; undefined while it is too short to
 * decide.
 */
export function startsAsEvents(body: Buffer): boolean | undefined {
  const text = body.toString("utf8", 0, FIELD_LENGTH + BOM.length * 3);
  const start = text.startsWith(BOM) ? text.slice(BOM.length) : text;
  if (FIELD.test(start)) return true;
  return start.length < FIELD_LENGTH && /^[a-z]*$/.test(start) ? undefined : false;
}

export type EventCollector = ReturnType<typeof createEventCollector>;

/**
 * Collects a non-streaming response sent as events, and detects its end: the connection may stay open after the last
 * event.
 */
export function createEventCollector(provider: Provider) {
  const splitter = (provider.streaming?.newFrameSplitter ?? createFrameSplitter)();
  const reader = provider.newStreamReader();
  const parts: StreamPart[] = [];
  let failure: unknown;
  let last = "";
  const read = (event: StreamEvent): void => {
    last = event.data;
    parts.push(...reader.read(event));
  };
  return {
    /** True once complete: the last event arrived, or one that reports a failure. */
    isComplete(chunk: Buffer): boolean {
      try {
        for (const { event } of splitter.push(chunk)) if (event) read(event);
      } catch (error) {
        failure = error;
        return true;
      }
      return reader.isComplete();
    },
    /** The response as the last event has it (Responses API); undefined if it has none, or one without its output. */
    complete(): Json | undefined {
      const response = reader.isComplete() ? asObject(asObject(parseExactJson(last))?.["response"]) : undefined;
      return response && asList(response["output"]).length > 0 ? response : undefined;
    },
    /** Throws StreamFailure if the events reported a failure or ended early. */
    response(): ChatResponse {
      if (failure !== undefined) throw failure;
      if (!reader.isComplete()) throw unreadableResponse();
      return toResponse([...parts, ...reader.end()]);
    },
  };
}
