import type { ChatResponse, Json, ReportedUsage } from "../../../core/chat/chat.ts";
import { asObject, asText } from "../../../core/chat/json.ts";
import { RelayError } from "../../../core/errors/relay-error.ts";
import { errorInside, readFailure, statusFailure, unreadableResponse } from "../upstream-failure.ts";
import type { Provider } from "../../contract/provider.ts";
import type { StreamReader } from "../../../core/wire/stream.ts";
import type { EndpointFormat } from "../../../core/wire/wire-format.ts";

/** The fields of a response that are needed besides its bytes; `body` has its id, if it has one. */
export const toResponse = (usage: ReportedUsage, text = "", body: Json = {}): ChatResponse => ({
  id: asText(body["id"]) ?? "",
  model: "",
  createdAtSeconds: 0,
  parts: text === "" ? [] : [{ type: "text", text }],
  finishReason: "stop",
  usage,
});

/**
 * The body of a non-streaming response. Throws StreamFailure if a 200 response contains an error or is not an object.
 */
export function parseObject(value: unknown): Json {
  const body = asObject(value);
  if (!body) throw unreadableResponse();
  if (body["error"]) throw errorInside(body);
  return body;
}

const noStream = (): StreamReader => {
  throw new RelayError("invalid_request", "this endpoint does not stream", { param: "stream" });
};

type Given = Pick<Provider, "address" | "parseResponse"> & Partial<Provider>;

/** A provider of one endpoint: calls are passed through, and the usage is parsed from the responses. */
export const endpointProvider = (wireFormat: EndpointFormat, given: Given): Provider => ({
  name: wireFormat,
  wireFormat,
  buildRequest: () => {
    throw new RelayError("internal_error", "this endpoint has no other format");
  },
  newStreamReader: noStream,
  parseError: (status, body) => readFailure(body) ?? statusFailure(status),
  ...given,
});
