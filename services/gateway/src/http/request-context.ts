import type { IncomingMessage } from "node:http";
import type { Logger } from "@turnpike/shared/log/log";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import { type ClientAddress, clientAddress, type ProxyTrust } from "./client-address.ts";

/** Facts of a request known on arrival. */
export type RequestContext = ClientAddress & {
  readonly requestId: string;
  readonly log: Logger;
  readonly language: "zh" | "en";
};

const factsByRequest = new WeakMap<IncomingMessage, RequestContext>();

/** Computes a new request's facts once and stores them for the request's lifetime. */
export function createRequestContext(
  request: IncomingMessage,
  deps: { log: Logger; trust: ProxyTrust },
): RequestContext {
  const requestId = newRequestId();
  const { address, isProxied } = clientAddress(request.socket.remoteAddress, request.headers, deps.trust);
  let log: Logger | undefined;
  const facts: RequestContext = {
    address,
    isProxied,
    requestId,
    // Most passed-through calls never log, and a child logger costs more than the rest of this.
    get log() {
      return (log ??= deps.log.child({ requestId }));
    },
    language: /^\s*en/i.test(request.headers["accept-language"] ?? "") ? "en" : "zh",
  };
  factsByRequest.set(request, facts);
  return facts;
}

/** The facts of a request; it throws for one that noteRequest never saw, which is a bug. */
export function getRequestContext(request: IncomingMessage): RequestContext {
  const facts = factsByRequest.get(request);
  if (!facts) throw new Error("a request was not noted before it was handled");
  return facts;
}
