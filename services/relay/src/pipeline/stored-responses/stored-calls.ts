import type { HandleCall } from "../../core/call/exchange.ts";
import type { RelayCall } from "../../core/call/relay-call.ts";
import type { Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { BackgroundResponses } from "./background-responses.ts";
import { continueCall, toItems } from "./continued-calls.ts";
import { ResponseRecorder } from "./response-recorder.ts";
import type { StoredResponses } from "./stored-responses.ts";

type Deps = {
  readonly responses: StoredResponses;
  readonly background: BackgroundResponses;
  readonly now: () => number;
};

/** Background responses are read later, so that they must be stored. */
function refuseBackground({ body }: RelayCall, isKept: boolean): void {
  if (body["background"] !== true) return;
  if (!isKept)
    throw new RelayError("unsupported_parameter", "background: is not supported, since this site stores no responses", {
      param: "background",
    });
  if (body["store"] === false)
    throw new RelayError("invalid_request", "background: requires store: true", { param: "background" });
}

/**
 * Serves calls of the Responses API whose state Turnpike keeps (docs/decisions/074): a call continues a stored response, its own
 * response is stored unless its request has `store: false`, and a background response runs on without its client.
 */
export function withStoredResponses(serve: HandleCall, { responses, background, now }: Deps): HandleCall {
  const serveStored: HandleCall = async (received, exchange) => {
    const isKept = responses.getSeconds() > 0;
    refuseBackground(received, isKept);
    if (!isKept) return serve(received, exchange);
    const continued = await continueCall(responses, received, now());
    const { call, previous, earlier, conversation } = continued;
    // Compactions are not stored.
    const isStored = received.body["store"] !== false && received.dialect.name === "openai-responses";
    if (!isStored && !conversation) return serve(call, exchange);
    const getInput = (): readonly Json[] => [...earlier, ...toItems(received.body["input"])];
    if (received.body["background"] === true) return background.start(continued, exchange, getInput);
    const { userId } = call.admitted.caller.known.token;
    const joined = conversation ? { conversation, isStored } : {};
    const recorder = new ResponseRecorder(responses, { userId, getInput, previous, ...joined });
    try {
      await serve(recorder.record(call), exchange);
    } finally {
      await recorder.close();
    }
  };
  // Not async: other calls wait for nothing here.
  return (call, exchange) => (call.dialect.refersToItems ? serveStored(call, exchange) : serve(call, exchange));
}
