import type { IncomingMessage } from "node:http";
import type { Logger } from "@turnpike/shared/log/log";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import { type Language, readLanguage } from "./request-language.ts";
import { type ClientAddress, clientAddress, type ProxyTrust } from "@turnpike/shared/http/client-address";

/** Facts of a request known on arrival. */
export type RequestContext = ClientAddress & {
  readonly requestId: string;
  readonly log: Logger;
  readonly language: Language;
};

const factsByRequest = new WeakMap<IncomingMessage, RequestContext>();

/** Computes a new request's facts once and stores them for the request's lifetime. */
export function createRequestContext(
  request: IncomingMessage,
  deps: { log: Logger; trust: ProxyTrust; defaultLanguage: () => Language },
): RequestContext {
  const requestId = newRequestId();
  const { address, isProxied } = clientAddress(request.socket.remoteAddress, request.headers, deps.trust);
  let log: Logger | undefined;
  let language: Language | undefined;
  const facts: RequestContext = {
    address,
    isProxied,
    requestId,
    // Most passed-through calls log nothing, and a child logger costs more than all other facts.
    get log() {
      return (log ??= deps.log.child({ requestId }));
    },
    // Calls that pass through have no messages.
    get language() {
      return (language ??= readLanguage(request, deps.defaultLanguage()));
    },
  };
  factsByRequest.set(request, facts);
  return facts;
}

/** The facts of a request. Throws for a request without a context, which is a bug. */
export function getRequestContext(request: IncomingMessage): RequestContext {
  const facts = factsByRequest.get(request);
  if (!facts) throw new Error("a request was handled before its context was recorded");
  return facts;
}
