import { toFinish, toFinishPart } from "../../../../core/chat/finish-reasons.ts";
import type {
  ChatResponse,
  Citation,
  ContentPart,
  FinishReason,
  Json,
  ReportedUsage,
  StreamPart,
} from "../../../../core/chat/chat.ts";
import { toInputArguments } from "../../../../core/vendors/custom-input.ts";
import { asCount, asList, asObject, asObjects, asText, compact } from "../../../../core/chat/json.ts";
import type { UpstreamFailure } from "../../../../core/errors/relay-error.ts";
import { parseObject } from "../../../shared/endpoints/endpoint-provider.ts";
import {
  getFailure,
  parseEventData,
  readFailure,
  getFailureStatus,
  unreadableResponse,
} from "../../../shared/upstream-failure.ts";
import { StreamFailure, type StreamReader } from "../../../../core/wire/stream.ts";
import { getRefusal, toRefusal } from "../../../../core/chat/refusals.ts";
import { readTierName, withTier } from "../../../shared/service-tier.ts";
import { readInputOutputUsage } from "./openai-image-response.ts";
import { PARAGRAPH, readCitation, readGeneratedImage, StreamedOutput } from "./streamed-output.ts";
import { createToolCount } from "../openai-own-tools.ts";

/** The paragraphs of a reasoning item, which are one block in other formats. */
const getReasoningText = (parts: readonly ContentPart[]): string =>
  parts.map((part) => (part.type === "reasoning" ? part.text : "")).join("");

/** The parts of an item, for token counts and for filtered responses that must be re-encoded. */
function producedBy(value: unknown): ContentPart[] {
  const item = asObject(value) ?? {};
  const image = readGeneratedImage(item);
  if (image) return [{ type: "image", source: { kind: "base64", ...image }, isOfTool: true }];
  if (item["type"] === "function_call" || item["type"] === "custom_tool_call") {
    const input = asText(item["input"]);
    const argumentsText = asText(item["arguments"]) ?? (input === undefined ? "" : toInputArguments(input));
    return [{ type: "tool-call", id: asText(item["call_id"]) ?? "", name: asText(item["name"]) ?? "", argumentsText }];
  }
  const isReasoning = item["type"] === "reasoning";
  const type = isReasoning ? "reasoning" : "text";
  const reported = asObjects(item["content"]).flatMap((part): ContentPart[] => {
    const text = asText(part["text"]);
    return text ? [{ type, text }] : toRefusal(asText(part["refusal"]));
  });
  const summary = asObjects(item["summary"]).flatMap(({ text: value }, index): ContentPart[] => {
    const text = (index === 0 ? "" : PARAGRAPH) + (asText(value) ?? "");
    return text === "" ? [] : [{ type, text }];
  });
  const all = [...reported, ...summary];
  return isReasoning && all.length > 0 ? [{ type, text: getReasoningText(all) }] : all;
}

/**
 * Error codes caused by the call rather than by upstream: any channel would refuse it. Source: OpenAI API reference,
 * "Response", `error.code`.
 */
const OF_THE_CALL = /^(invalid_prompt|\w+_policy|(\w+_)?image(_\w+)?|context_length_exceeded)$/;

/** The usage of a response or of a compaction. */
export const readResponseUsage = (body: Json): ReportedUsage =>
  withTier(readInputOutputUsage(body["usage"]), readTierName(body["service_tier"]));

const RATE_LIMIT = "rate_limit_exceeded";
const UNIT_SECONDS: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60 };

/** The wait that OpenAI names in the text of a rate limit, since the events of a stream have no headers. */
function readWait(message: string): Pick<UpstreamFailure, "retryAfterSeconds"> {
  const [, number, unit = "s"] = /try again in (\d+(?:\.\d+)?)(ms|s|m)\b/i.exec(message) ?? [];
  const seconds = Math.ceil(Number(number) * (UNIT_SECONDS[unit] ?? 1));
  return seconds > 0 ? { retryAfterSeconds: seconds } : {};
}

function responseFailure(body: Json): StreamFailure {
  const reported = readFailure(body) ?? getFailure("upstream returned an error");
  const wait = reported.code === RATE_LIMIT ? readWait(reported.message) : {};
  const isOfCall = OF_THE_CALL.test(reported.code ?? "");
  // Responses that failed have a code alone; `error` is the type of the event.
  const type = reported.type === "error" ? undefined : reported.type;
  const failure = { ...reported, ...wait, type: type ?? (isOfCall ? "invalid_request_error" : undefined) };
  return new StreamFailure(failure, isOfCall ? 400 : getFailureStatus(failure), readResponseUsage(body));
}

const INCOMPLETE: Readonly<Record<string, FinishReason>> = {
  max_output_tokens: "length",
  content_filter: "content-filter",
};

/** The finish reason: tool calls are only visible in the output. Responses that were cancelled are not complete. */
function getFinish(
  response: Json,
  { hasCalls, hasRefusal }: { readonly hasCalls: boolean; readonly hasRefusal: boolean },
): { readonly reason: FinishReason; readonly word: string } {
  const status = asText(response["status"]) ?? "completed";
  if (status === "completed") {
    if (hasCalls) return { reason: "tool-calls", word: status };
    return { reason: hasRefusal ? "refusal" : "stop", word: status };
  }
  if (status !== "incomplete") return { reason: "other", word: status };
  const word = asText(asObject(response["incomplete_details"])?.["reason"]) ?? status;
  return { reason: INCOMPLETE[word] ?? "other", word };
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
  const given = asObject(value);
  // It has the usage, which is charged.
  if (given && (given["status"] === "failed" || given["error"])) throw responseFailure(given);
  const body = parseObject(value);
  if (!Array.isArray(body["output"])) throw unreadableResponse();
  const output = body["output"] as unknown[];
  const tools = createToolCount();
  output.forEach(tools.add);
  const parts = output.flatMap(producedBy);
  const citations = getCitations(output);
  const hasCalls = parts.some(({ type }) => type === "tool-call");
  const { reason, word } = getFinish(body, { hasCalls, hasRefusal: getRefusal(parts) !== "" });
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

/** Events sent before upstream started on the response. */
const WAITING: ReadonlySet<string> = new Set(["response.queued", "response.in_progress", "keepalive"]);
const ENDS: ReadonlySet<string> = new Set(["response.completed", "response.incomplete"]);

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
    const parts = output.readAll(asList(response["output"]));
    const { reason, word } = getFinish(response, output);
    const usage = output.withTools(readResponseUsage(response));
    return [...parts, { type: "finish", ...toFinishPart(reason, word), ...output.citations(), usage }];
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
