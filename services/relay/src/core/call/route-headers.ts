import type { Exchange } from "./exchange.ts";

/** On responses of calls with aliases or fallback models: the model that serves the call, and the number of attempts. */
const MODEL_HEADER = "x-turnpike-model";
const ATTEMPTS_HEADER = "x-turnpike-attempts";

/** Sets the headers, unless keep-alive comments have sent those of the response already. */
export function setRouteHeaders({ response }: Exchange, model: string, attempts: number): void {
  if (response.headersSent) return;
  response.setHeader(MODEL_HEADER, encodeURIComponent(model));
  response.setHeader(ATTEMPTS_HEADER, attempts);
}
