import type { ChatRequest, ChatResponse, Json } from "../../core/chat/chat.ts";
import { asList, asObject, asText, compact } from "../../core/chat/json.ts";
import { refuseManyCandidates, getText } from "../../core/chat/messages.ts";
import { plainTurns, userFirstAndLast } from "../shared/plain-text.ts";
import { getFailure, unreadableResponse } from "../shared/upstream-failure.ts";
import { geminiErrorInside, parseGeminiError } from "../formats/gemini/gemini-failure.ts";
import { JSON_CONTENT } from "../shared/json-content.ts";
import type { Endpoint, Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { createSingleFrameSplitter, newSingleFrameReader } from "../shared/single-frame-stream.ts";

const BASE_URL = "https://generativelanguage.googleapis.com";
const MODEL = "chat-bison-001";
const AUTHOR = { user: "0", assistant: "1" } as const;

/** Unknown fields are refused, so nothing else is sent. */
function buildBody(request: ChatRequest): Json {
  refuseManyCandidates(request);
  const messages = userFirstAndLast(plainTurns(request.messages)).map(({ role, text }) => ({
    author: AUTHOR[role],
    content: text,
  }));
  return compact({
    prompt: compact({ context: getText(request.system, "\n\n") || undefined, messages }),
    temperature: request.temperature === undefined ? undefined : Math.min(Math.max(request.temperature, 0), 1),
    topP: request.topP,
    topK: request.topK,
  });
}

function address(target: Target): Endpoint {
  const model = target.model.startsWith("PaLM") ? MODEL : target.model;
  return {
    url: `${target.baseUrl || BASE_URL}/v1beta2/models/${encodeURIComponent(model)}:generateMessage`,
    headers: { ...JSON_CONTENT, "x-goog-api-key": target.key },
  };
}

function blocked(body: Json): StreamFailure {
  const reason = asText(asObject(asList(body["filters"])[0])?.["reason"]) ?? "no candidates";
  return new StreamFailure(
    getFailure(`the prompt was blocked by the provider: ${reason}`, {
      type: "invalid_request_error",
      code: "content_filter",
    }),
    400,
  );
}

/** Usage is never reported: it is estimated. */
function parseResponse(value: unknown): ChatResponse {
  const body = asObject(value);
  if (!body) throw unreadableResponse();
  if (body["error"]) throw geminiErrorInside(body);
  const text = asText(asObject(asList(body["candidates"])[0])?.["content"]);
  if (text === undefined) throw blocked(body);
  return {
    id: "",
    model: "",
    createdAtSeconds: 0,
    parts: text === "" ? [] : [{ type: "text", text }],
    finishReason: "stop",
    usage: undefined,
  };
}

/** Google's PaLM 2, the predecessor of Gemini: non-streaming responses only, and no usage. */
export const palm: Provider = {
  name: "palm",
  wireFormat: "own",
  buildRequest: (request, target) => ({ ...address(target), json: buildBody(request) }),
  address,
  streaming: { neverStreams: true, newFrameSplitter: createSingleFrameSplitter },
  parseResponse,
  newStreamReader: () => newSingleFrameReader(parseResponse),
  parseError: parseGeminiError,
};
