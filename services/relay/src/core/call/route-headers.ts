import type { Exchange } from "./exchange.ts";
import type { RelayCall } from "./relay-call.ts";

/** On every response of a model: the model that serves the call, and the number of attempts at all models and channels. */
const MODEL_HEADER = "x-turnpike-model";
const ATTEMPTS_HEADER = "x-turnpike-attempts";

/** Sets the headers for the attempt that begins, unless keep-alive comments have sent those of the response already. */
export function setRouteHeaders({ response }: Exchange, { model, route, tried }: RelayCall): void {
  if (response.headersSent) return;
  response.setHeader(MODEL_HEADER, encodeURIComponent(model));
  response.setHeader(ATTEMPTS_HEADER, (route?.earlierAttempts ?? 0) + tried.length);
}
