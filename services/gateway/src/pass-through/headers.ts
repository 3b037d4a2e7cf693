import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import {
  CLIENT_IP_HEADER,
  CLIENT_PROOF_HEADER,
  makeClientAddressProof,
} from "@turnpike/shared/http/client-address-proof";

/** Headers that speak about one connection, not about the message. */
const HOP_BY_HOP = [
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];
/** What a caller may claim about addresses; the relay gets our own word instead. */
const CLAIMS = [CLIENT_IP_HEADER, CLIENT_PROOF_HEADER, "forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip"];

const namedByConnection = (headers: IncomingHttpHeaders): string[] =>
  (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());

function without(message: IncomingMessage, names: readonly string[]): OutgoingHttpHeaders {
  const dropped = new Set([...HOP_BY_HOP, ...namedByConnection(message.headers), ...names]);
  return Object.fromEntries(
    Object.entries(message.headersDistinct).filter(([name]) => !dropped.has(name)),
  ) as OutgoingHttpHeaders;
}

/**
 * The headers of a call as the relay gets them: those of the caller without what belongs to the connection or claims an address,
 * with the address as we know it and the proof that it is us who say so. Cookies stay here, except for the playground.
 */
export function toRelayHeaders(
  request: IncomingMessage,
  options: { readonly address: string; readonly internalSecret: string; readonly keepCookies: boolean },
): OutgoingHttpHeaders {
  const { address, internalSecret, keepCookies } = options;
  const headers: OutgoingHttpHeaders = {
    ...without(request, keepCookies ? ["host", ...CLAIMS] : ["host", "cookie", ...CLAIMS]),
    "x-forwarded-for": address,
    [CLIENT_IP_HEADER]: address,
    [CLIENT_PROOF_HEADER]: makeClientAddressProof(internalSecret, address),
  };
  // A body of unknown length stays one; without this, Node sends none for methods that seldom have a body.
  if (request.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  return headers;
}

/** The headers of the relay's answer as the caller gets them. */
export const toCallerHeaders = (answer: IncomingMessage): OutgoingHttpHeaders => without(answer, []);
