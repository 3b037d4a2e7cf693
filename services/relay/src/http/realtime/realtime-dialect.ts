import type { IncomingHttpHeaders } from "node:http";
import type { Admitted } from "../../core/call/caller.ts";
import { readRelayCall } from "../../pipeline/prepare/read/call-reader.ts";
import { API_VERSION, type RelayCall } from "../../core/call/relay-call.ts";
import type { Dialect } from "../../core/call/dialect.ts";
import { openAiChat } from "../../dialects/openai-chat/openai-chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

/** Text tokens held before a session begins, and reserved for each of its responses. */
const RESERVE_TOKENS = 500;

function notSingleResponse(): never {
  throw new Error("a Realtime session has no body and no single response");
}

/** The dialect of Realtime sessions: what they share with other calls is a model, a caller and a price. */
export const openAiRealtime: Dialect = {
  name: "openai-realtime",
  isWebSocket: true,
  readFields: (_, path) => {
    if (path === undefined || path.model === "")
      throw new RelayError("invalid_request", "the query must name a model", { param: "model" });
    return { ...path, includeUsage: false, maxOutputTokens: RESERVE_TOKENS };
  },
  endpoint: {
    prompt: () => ({ text: "", extraTokens: 0 }),
    promptOnly: false,
    isServedByChat: false,
  },
  parseRequest: notSingleResponse,
  writeResponse: notSingleResponse,
  newStreamWriter: notSingleResponse,
  writeError: openAiChat.writeError,
};

const BETA_PROTOCOL = "openai-beta.";

/**
 * The API version of the caller, by header or, in browsers, by subprotocol: `openai-beta.realtime-v1` is `realtime=v1`.
 */
function getBetaHeader(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers["openai-beta"];
  if (sent !== undefined) return String(sent);
  const protocols = String(headers["sec-websocket-protocol"] ?? "").split(",");
  const named = protocols.map((protocol) => protocol.trim()).find((protocol) => protocol.startsWith(BETA_PROTOCOL));
  return named?.slice(BETA_PROTOCOL.length).replace(/-(v\d+)$/, "=$1");
}

/** The relay call of a Realtime session; throws invalid_request if the query names no model. */
export function readRealtimeCall(input: {
  readonly requestId: string;
  readonly startedAtMs: number;
  readonly address: string;
  readonly admitted: Admitted;
  readonly headers: IncomingHttpHeaders;
  readonly query: URLSearchParams;
}): RelayCall {
  const { query, ...common } = input;
  // Azure's clients call the model a deployment.
  const model = query.get("model") ?? query.get("deployment") ?? "";
  const version = query.get(API_VERSION);
  const headers = version === null ? input.headers : { ...input.headers, [API_VERSION]: version };
  const path = { model, stream: true };
  const call = readRelayCall({ ...common, headers, dialect: openAiRealtime, bodyText: "{}", path });
  const beta = getBetaHeader(input.headers);
  return beta === undefined ? call : { ...call, clientHeaders: { ...call.clientHeaders, "openai-beta": beta } };
}
