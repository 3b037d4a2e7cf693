import type { ChatResponse, Json, ReportedUsage } from "../../core/chat/chat.ts";
import { asObject } from "../../core/chat/json.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { errorInside, readFailure, statusFailure, unreadableResponse } from "../shared/upstream-failure.ts";
import type { Provider } from "../contract/provider.ts";
import type { StreamReader } from "../../core/wire/stream.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";

/** What of an answer matters beside its bytes. */
export const answerOf = (usage: ReportedUsage, text = ""): ChatResponse => ({
  id: "",
  model: "",
  createdAtSeconds: 0,
  parts: text === "" ? [] : [{ type: "text", text }],
  finishReason: "stop",
  usage,
});

/** The body of a whole answer. Throws StreamFailure when a 200 holds an error or no object. */
export function objectOf(value: unknown): Json {
  const body = asObject(value);
  if (!body) throw unreadableResponse();
  if (body["error"]) throw errorInside(body);
  return body;
}

const noStream = (): StreamReader => {
  throw new RelayError("invalid_request", "this endpoint has no streams", { param: "stream" });
};

type Given = Pick<Provider, "address" | "parseResponse"> & Partial<Provider>;

/** A provider of one endpoint: calls go through as they are, of the answers the usage is read. */
export const endpointProvider = (wireFormat: EndpointFormat, given: Given): Provider => ({
  name: wireFormat,
  wireFormat,
  buildRequest: () => {
    throw new RelayError("internal_error", "this endpoint knows no other format");
  },
  newStreamReader: noStream,
  parseError: (status, body) => readFailure(body) ?? statusFailure(status),
  defaultModels: [],
  ...given,
});
