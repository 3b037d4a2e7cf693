import type { ChatResponse, Json, ReportedUsage, StreamPart } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText, parseJson } from "../../core/chat/json.ts";
import { createMappedSplitter } from "../../upstream/frame-splitter.ts";
import { errorInside, getFailure, unreadableResponse } from "../shared/upstream-failure.ts";
import { readOpenAiUsage } from "../formats/openai/response/openai-usage.ts";
import {
  type Frame,
  type FrameSplitter,
  StreamFailure,
  type StreamEvent,
  type StreamReader,
} from "../../core/wire/stream.ts";

const STATUS: Readonly<Record<number, number>> = {
  1113: 402,
  1234: 503,
  1301: 400,
  1302: 429,
  1303: 429,
  1305: 429,
  500: 500,
};

function getStatus(code: number): number {
  if (code >= 1000 && code <= 1004) return 401;
  if (code >= 1210 && code < 1220) return 400;
  return STATUS[code] ?? 502;
}

/** The failure in a response without success; it has status 200. */
export function zhipuFailure(body: Json): StreamFailure | undefined {
  const isFailed = body["success"] === false || (asNumber(body["code"]) ?? 200) !== 200;
  if (!isFailed) return undefined;
  const code = asNumber(body["code"]) ?? 0;
  const message = asText(body["msg"]) || asText(body["message"]) || "upstream returned an error";
  return new StreamFailure(getFailure(message, { code: String(code) }), getStatus(code));
}

/** The content is a JSON string within the text. */
function unquote(content: string): string {
  const inner = parseJson(content.trim());
  return typeof inner === "string" ? inner : content;
}

/** Parses a non-streaming response. Throws StreamFailure for errors and anything else. */
export function parseZhipuResponse(value: unknown): ChatResponse {
  const body = asObject(value);
  const failure = body && zhipuFailure(body);
  if (failure) throw failure;
  const data = asObject(body?.["data"]);
  if (!data) throw unreadableResponse();
  if (data["task_status"] === "FAIL") throw new StreamFailure(getFailure("upstream aborted the response"));
  const text = asList(data["choices"])
    .map((choice) => unquote(asText(asObject(choice)?.["content"]) ?? ""))
    .join("");
  return {
    id: asText(data["task_id"]) ?? "",
    model: "",
    createdAtSeconds: 0,
    parts: text === "" ? [] : [{ type: "text", text }],
    finishReason: "stop",
    usage: readOpenAiUsage(data["usage"]),
  };
}

const META = /^meta: ?(.*)$/m;

/** The last event has an additional field `meta`; it is emitted as the data of an event "meta". */
function withMeta(frame: Frame): Frame {
  const meta = META.exec(frame.raw.toString("utf8"))?.[1];
  return meta === undefined ? frame : { ...frame, event: { event: "meta", data: meta } };
}

/** Server-sent events with one non-standard field. */
export const createZhipuSplitter = (): FrameSplitter => createMappedSplitter(withMeta);

/** Parses `add`, `finish`, `error` and `interrupted` events, whose data are plain text. */
export function newZhipuStreamReader(): StreamReader {
  let isStarted = false;
  let isFinished = false;
  let isComplete = false;
  let isInterrupted = false;
  let usage: ReportedUsage;

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    return [{ type: "finish", reason: isInterrupted ? "content-filter" : "stop", usage }];
  }

  function readText(text: string): StreamPart[] {
    const start: StreamPart[] = isStarted ? [] : [{ type: "start", id: "", model: "" }];
    isStarted = true;
    return text === "" ? start : [...start, { type: "text-delta", text }];
  }

  function readMeta(data: string): StreamPart[] {
    usage = readOpenAiUsage(asObject(parseJson(data))?.["usage"]);
    isComplete = true;
    return [...readText(""), ...finish()];
  }

  function fail(data: string): StreamFailure {
    const body = asObject(parseJson(data));
    if (!body) return new StreamFailure(getFailure(data || "upstream returned an error"));
    return zhipuFailure(body) ?? errorInside(body);
  }

  return {
    read({ event, data }: StreamEvent): StreamPart[] {
      if (event === "error") throw fail(data);
      if (event === "meta") return readMeta(data);
      isInterrupted ||= event === "interrupted";
      isComplete ||= event === "finish" || event === "interrupted";
      return readText(data);
    },
    end: finish,
    isComplete: () => isComplete,
  };
}
