import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from "node:http";
import { PLAYGROUND_HEADER } from "@turnpike/shared/crypto/playground-proof";
import { traceHeaders } from "@turnpike/shared/telemetry/tracing";
import {
  CLIENT_IP_HEADER,
  CLIENT_PROOF_HEADER,
  makeClientAddressProof,
} from "@turnpike/shared/crypto/client-address-proof";

/** Hop-by-hop headers. */
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
/** Headers with which a client may claim an address; the gateway replaces them. */
const CLAIMS = [
  CLIENT_IP_HEADER,
  CLIENT_PROOF_HEADER,
  PLAYGROUND_HEADER,
  "forwarded",
  "x-real-ip",
  "x-forwarded-host",
  "x-forwarded-proto",
  "cf-connecting-ip",
  "true-client-ip",
];

const OF_CONNECTION: ReadonlySet<string> = new Set(HOP_BY_HOP);
const OF_CALLER: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...CLAIMS, "host", "cookie"]);
/** The gateway has identified the playground's user; their credentials are not sent on. */
const OF_PERSON: ReadonlySet<string> = new Set([...OF_CALLER, "authorization"]);
const PROOFS_MAX = 10_000;

const namedByConnection = (headers: IncomingHttpHeaders): string[] =>
  (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());

function without(message: IncomingMessage, dropped: ReadonlySet<string>): OutgoingHttpHeaders {
  const alsoDropped = namedByConnection(message.headers);
  const headers: OutgoingHttpHeaders = {};
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    if (dropped.has(name) || alsoDropped.includes(name)) continue;
    headers[name] = values?.length === 1 ? values[0] : values;
  }
  return headers;
}

/** Creates proofs of client addresses and caches those of recent callers. */
export function createProofMaker(internalSecret: string): (address: string) => string {
  const proofs = new Map<string, string>();
  return (address) => {
    const known = proofs.get(address);
    if (known !== undefined) return known;
    if (proofs.size >= PROOFS_MAX) proofs.clear();
    const proof = makeClientAddressProof(internalSecret, address);
    proofs.set(address, proof);
    return proof;
  };
}

/** The address at which the caller reaches this site: relays write it into links to images. */
function toForwardedOrigin(origin: string): OutgoingHttpHeaders {
  const separator = origin.indexOf("://");
  if (separator < 0) return {};
  return { "x-forwarded-proto": origin.slice(0, separator), "x-forwarded-host": origin.slice(separator + 3) };
}

/**
 * The headers of a call as sent to the relay: the caller's headers without hop-by-hop headers and claimed addresses,
 * plus the client's address as the gateway sees it and a proof that the gateway wrote it. Cookies are not sent on.
 * `playgroundUser` is the gateway's statement of whose playground the call comes from; `origin` is this site's as the caller sees it.
 */
export function toRelayHeaders(
  request: IncomingMessage,
  options: {
    readonly address: string;
    readonly proof: string;
    readonly playgroundUser?: string;
    readonly origin?: string;
  },
): OutgoingHttpHeaders {
  const { address, proof, playgroundUser, origin = "" } = options;
  const headers: OutgoingHttpHeaders = {
    ...without(request, playgroundUser === undefined ? OF_CALLER : OF_PERSON),
    ...(playgroundUser === undefined ? {} : { [PLAYGROUND_HEADER]: playgroundUser }),
    // The instrumentation of node:http does not see requests of ES modules.
    ...traceHeaders(),
    "x-forwarded-for": address,
    ...toForwardedOrigin(origin),
    [CLIENT_IP_HEADER]: address,
    [CLIENT_PROOF_HEADER]: proof,
  };
  // Keeps a body of unknown length chunked; otherwise Node sends no body for methods that rarely have one.
  if (request.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  return headers;
}

/** The headers of the relay's response as sent to the caller. */
export const toCallerHeaders = (relayed: IncomingMessage): OutgoingHttpHeaders => without(relayed, OF_CONNECTION);
