import type { ChatRequest, ChatResponse, Json, StreamPart } from "../../core/chat/chat.ts";
import { asList, asNumber, asObject, asText } from "../../core/chat/json.ts";
import { getText } from "../../core/chat/messages.ts";
import { plainTurns } from "../shared/plain-text.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import {
  getFailure,
  parseEventData,
  readFailure,
  statusFailure,
  unreadableResponse,
} from "../shared/upstream-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure, type StreamReader } from "../../core/wire/stream.ts";

const BASE_URL = "https://api.aiproxy.io";
const DONE = "[DONE]";

/** The library takes one question only: the last user message. */
function getQuestion({ messages }: ChatRequest): string {
  const last = plainTurns(messages).findLast(({ role }) => role === "user");
  if (last) return last.text;
  throw new RelayError("invalid_request", "there is no question among the messages", { param: "messages" });
}

function buildBody(request: ChatRequest, target: Target): Json {
  const instructions = getText(request.system, "\n\n");
  const question = getQuestion(request);
  return {
    model: target.model,
    query: instructions === "" ? question : `${instructions}\n\n${question}`,
    libraryId: target.other.trim(),
    stream: request.stream,
  };
}

const address = (target: Target): Endpoint => ({
  url: `${target.baseUrl || BASE_URL}/api/library/ask`,
  headers: { ...JSON_CONTENT, authorization: `Bearer ${target.key}` },
});

/** Appends the documents that a response cites, as a list of links. */
function writeDocuments(value: unknown): string {
  const documents = asList(value).map((document) => asObject(document) ?? {});
  if (documents.length === 0) return "";
  const lines = documents.map(
    ({ title, url }, index) => `${index + 1}. [${asText(title) ?? ""}](${asText(url) ?? ""})`,
  );
  return `\n\n${lines.join("\n")}`;
}

function failureIn(body: Json): StreamFailure | undefined {
  const code = asNumber(body["errCode"]) ?? 0;
  if (code === 0 && body["success"] !== false) return undefined;
  const message = asText(body["message"]) || "upstream returned an error";
  return new StreamFailure(getFailure(message, { code: String(code) }), code >= 400 && code <= 599 ? code : 502);
}

function parseResponse(value: unknown): ChatResponse {
  const body = asObject(value);
  const failure = body && failureIn(body);
  if (failure) throw failure;
  const response = asText(body?.["answer"]);
  if (response === undefined) throw unreadableResponse();
  const text = response + writeDocuments(body?.["documents"]);
  return {
    id: "",
    model: "",
    createdAtSeconds: 0,
    parts: text === "" ? [] : [{ type: "text", text }],
    finishReason: "stop",
    usage: undefined,
  };
}

/** Parses chunks of content; the chunk with `finish` is the last. */
function newStreamReader(): StreamReader {
  let isStarted = false;
  let isComplete = false;
  let isFinished = false;
  let documents: unknown;

  function finish(): StreamPart[] {
    if (isFinished) return [];
    isFinished = true;
    const list = writeDocuments(documents);
    const last: StreamPart = { type: "finish", reason: "stop", usage: undefined };
    return list === "" ? [last] : [{ type: "text-delta", text: list }, last];
  }

  function readChunk(chunk: Json): StreamPart[] {
    const failure = failureIn(chunk);
    if (failure) throw failure;
    const start: StreamPart[] = isStarted ? [] : [{ type: "start", id: "", model: asText(chunk["model"]) ?? "" }];
    isStarted = true;
    if (asList(chunk["documents"]).length > 0) documents = chunk["documents"];
    const text = asText(chunk["content"]);
    return text ? [...start, { type: "text-delta", text }] : start;
  }

  return {
    read({ data }): StreamPart[] {
      const chunk = data === DONE ? { finish: true } : parseEventData(data);
      const parts = data === DONE ? [] : readChunk(chunk);
      isComplete ||= chunk["finish"] === true;
      return isComplete ? [...parts, ...finish()] : parts;
    },
    end: finish,
    isComplete: () => isComplete,
  };
}

/** AI Proxy's knowledge base: sends one question to a library, whose id is the channel's `other`. */
export const aiProxy: Provider = {
  name: "ai-proxy",
  wireFormat: "own",
  buildRequest: (request, target) => ({ ...address(target), json: buildBody(request, target) }),
  address,
  parseResponse,
  newStreamReader,
  parseError: (status, body) => readFailure(body) ?? statusFailure(status),
};
