import { toFinish, toFinishPart } from "../../../core/chat/finish-reasons.ts";
import type {
  ChatResponse,
  Citation,
  ContentPart,
  FinishReason,
  Json,
  ReportedUsage,
  StreamPart,
} from "../../../core/chat/chat.ts";
import { asCount, asList, asObject, asObjects, asText, compact } from "../../../core/chat/json.ts";
import { parseObject } from "../../shared/endpoints/endpoint-provider.ts";
import {
  getFailure,
  parseEventData,
  readFailure,
  getFailureStatus,
  unreadableResponse,
} from "../../shared/upstream-failure.ts";
import { StreamFailure, type StreamReader } from "../../../core/wire/stream.ts";
import { readTierName, withTier } from "../../shared/service-tier.ts";
import { readInputOutputUsage } from "./openai-image-response.ts";
import { getCitation } from "./openai-citations.ts";
import { createToolCount } from "./openai-own-tools.ts";

/** Separator between the parts of a summary, each of which has its own heading. */
const PARAGRAPH = "\n\n";

/** The parts of an item, for token counts and for filtered responses that must be re-encoded. */
function producedBy(value: unknown): ContentPart[] {
  const item = asObject(value) ?? {};
  if (item["type"] === "function_call" || item["type"] === "custom_tool_call") {
    const argumentsText = asText(item["arguments"]) ?? asText(item["input"]) ?? "";
    return [{ type: "tool-call", id: asText(item["call_id"]) ?? "", name: asText(item["name"]) ?? "", argumentsText }];
  }
  const type = item["type"] === "reasoning" ? "reasoning" : "text";
  const reported = asObjects(item["content"]).map((part) => asText(part["text"]) ?? asText(part["refusal"]));
  const summary = asObjects(item["summary"]).map(
    ({ text }, index) => (index === 0 ? "" : PARAGRAPH) + (asText(text) ?? ""),
  );
  return [...reported, ...summary].flatMap((text): ContentPart[] => (text ? [{ type, text }] : []));
}

/**
 * Error codes caused by the call rather than by upstream: any channel would refuse it. Source: OpenAI API reference,
 * "Response", `error.code`.
 */
const OF_THE_CALL = /^(invalid_prompt|\w+_policy|(\w+_)?image(_\w+)?|context_length_exceeded)$/;

/** The usage of a `response` object, with the tier that served it. */
/** The usage of a response or of a compaction. */
export const readResponseUsage = (body: Json): ReportedUsage =>
  withTier(readInputOutputUsage(body["usage"]), readTierName(body["service_tier"]));

function responseFailure(body: Json): StreamFailure {
  const failure = readFailure(body) ?? getFailure("upstream returned an error");
  const status = OF_THE_CALL.test(failure.code ?? "") ? 400 : getFailureStatus(failure);
  return new StreamFailure(failure, status, readResponseUsage(body));
}

const INCOMPLETE: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: "length",
  content_filter: "content-filter",
};

/** The finish reason: tool calls are only visible in the output. Responses that were cancelled are not complete. */
function getFinish(response: Json, hasCalls: boolean): { readonly reason: FinishReason; readonly word: string } {
  const status = asText(response["status"]) ?? "completed";
  if (status === "completed") return { reason: hasCalls ? "tool-calls" : "stop", word: status };
  if (status !== "incomplete") return { reason: "other", word: status };
  const word = asText(asObject(response["incomplete_details"])?.["reason"]) ?? status;
  return { reason: INCOMPLETE[word] ?? "other", word };
}

/** Other annotations refer to files. */
function readCitation(value: unknown, textStart: number): Citation[] {
  const annotation = asObject(value);
  return annotation?.["type"] === "url_citation" ? getCitation(annotation, textStart) : [];
}

/** The pages cited by the texts of an output. */
function getCitations(output: readonly unknown[]): Citation[] {
  let textStart = 0;
  return output
    .map(asObject)
    .filter((item) => item?.["type"] === "message")
    .flatMap((item) => asObjects(item?.["content"]))
    .flatMap((part) => {
      const found = asList(part["annotations"]).flatMap((annotation) => readCitation(annotation, textStart));
      textStart += (asText(part["text"]) ?? asText(part["refusal"]) ?? "").length;
      return found;
    });
}

/** Parses a `response` object: its output and usage. Throws StreamFailure for a failed response, or anything else. */
export function parseResponsesResponse(value: unknown): ChatResponse {
  const body = parseObject(value);
  if (body["status"] === "failed") throw responseFailure(body);
  if (!Array.isArray(body["output"])) throw unreadableResponse();
  const output = body["output"] as unknown[];
  const tools = createToolCount();
  output.forEach(tools.add);
  const parts = output.flatMap(producedBy);
  const citations = getCitations(output);
  const { reason, word } = getFinish(
    body,
    parts.some(({ type }) => type === "tool-call"),
  );
  return compact({
    id: asText(body["id"]) ?? "",
    model: asText(body["model"]) ?? "",
    createdAtSeconds: asCount(body["created_at"]),
    parts,
    citations: citations.length === 0 ? undefined : citations,
    ...toFinish(reason, word),
    usage: tools.onto(readResponseUsage(body)),
  }) as ChatResponse;
}

type Delta = (delta: string, callIndex: number) => StreamPart;
const asResponse: Delta = (text) => ({ type: "text-delta", text });
const asReasoning: Delta = (text) => ({ type: "reasoning-delta", text });
const asArguments: Delta = (argumentsText, index) => ({ type: "tool-call-delta", index, argumentsText });
const DELTAS: Readonly<Record<string, Delta>> = {
  "response.output_text.delta": asResponse,
  "response.refusal.delta": asResponse,
  "response.reasoning_text.delta": asReasoning,
  "response.reasoning_summary_text.delta": asReasoning,
  "response.function_call_arguments.delta": asArguments,
  "response.custom_tool_call_input.delta": asArguments,
};
/** Events sent before upstream started on the response. */
const WAITING: ReadonlySet<string> = new Set(["response.queued", "response.in_progress", "keepalive"]);
const ENDS: ReadonlySet<string> = new Set(["response.completed", "response.incomplete"]);

/** The calls of a streamed output: they are numbered in order here, whereas upstream numbers all items. */
function createCalls() {
  const indexes = new Map<unknown, number>();
  return {
    begin(event: Json): StreamPart[] {
      const [call] = producedBy(event["item"]);
      if (call?.type !== "tool-call") return [];
      const index = indexes.size;
      indexes.set(event["output_index"], index);
      return [{ type: "tool-call-start", index, id: call.id, name: call.name }];
    },
    indexOf: (event: Json): number => indexes.get(event["output_index"]) ?? 0,
    hasAny: (): boolean => indexes.size > 0,
  };
}

/** The output items of a stream: their text, reasoning, calls and citations. */
class StreamedOutput {
  readonly #tools = createToolCount();
  readonly #calls = createCalls();
  readonly #citations: Citation[] = [];
  #textLength = 0;
  /** The offset of the current text in the whole response. */
  #textStart = 0;

  /** Reads an event of an item. */
  read(type: string, event: Json): StreamPart[] {
    switch (type) {
      case "response.output_item.added":
        return this.#calls.begin(event);
      case "response.content_part.added":
        this.#textStart = this.#textLength;
        return [];
      case "response.reasoning_summary_part.added":
        return asCount(event["summary_index"]) > 0 ? [asReasoning(PARAGRAPH, 0)] : [];
      case "response.output_text.annotation.added":
        this.#citations.push(...readCitation(event["annotation"], this.#textStart));
        return [];
      case "response.output_item.done":
        this.#tools.add(event["item"]);
        return [];
      default:
        return this.#readDelta(type, event);
    }
  }

  #readDelta(type: string, event: Json): StreamPart[] {
    const delta = asText(event["delta"]);
    const read = DELTAS[type];
    if (!delta || !read) return [];
    if (read === asResponse) this.#textLength += delta.length;
    return [read(delta, this.#calls.indexOf(event))];
  }

  finish(response: Json): StreamPart {
    const found = this.#citations.length === 0 ? {} : { citations: this.#citations };
    const usage = this.#tools.onto(readResponseUsage(response));
    const { reason, word } = getFinish(response, this.#calls.hasAny());
    return { type: "finish", ...toFinishPart(reason, word), ...found, usage };
  }

  /** The tools that upstream ran so far. */
  usageSoFar(): ReportedUsage {
    return this.#tools.alone();
  }
}

/**
 * Parses the events of a stream up to the final one. The response starts with its first item: a busy upstream may
 * create the response, queue it and give up, and until then failover is possible.
 */
export function newResponsesReader(): StreamReader {
  const output = new StreamedOutput();
  let isFinished = false;
  let start: StreamPart | undefined;

  function finish(response: Json): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    return [output.finish(response)];
  }
  function readEvent(type: string, event: Json): StreamPart[] {
    const response = asObject(event["response"]) ?? {};
    if (type === "response.failed") throw responseFailure(response);
    if (type === "response.created") {
      start = { type: "start", id: asText(response["id"]) ?? "", model: asText(response["model"]) ?? "" };
      return [];
    }
    if (WAITING.has(type)) return [];
    const steps = ENDS.has(type) ? finish(response) : output.read(type, event);
    if (!start) return steps;
    const begun = [start, ...steps];
    start = undefined;
    return begun;
  }
  return {
    read({ event, data }): StreamPart[] {
      if (data === "[DONE]") return [];
      const body = parseEventData(data);
      const type = asText(body["type"]) ?? event ?? "";
      if (type === "error" || body["error"]) throw responseFailure(body["error"] ? body : { error: body });
      return readEvent(type, body);
    },
    end: () => [],
    isComplete: () => isFinished,
    usageSoFar: () => output.usageSoFar(),
  };
}
