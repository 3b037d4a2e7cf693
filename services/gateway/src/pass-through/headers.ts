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
/** Headers with which a client may claim an address; replaced by the gateway's own. */
const CLAIMS = [
  CLIENT_IP_HEADER,
  CLIENT_PROOF_HEADER,
  PLAYGROUND_HEADER,
  "forwarded",
  "x-real-ip",
  "cf-connecting-ip",
  "true-client-ip",
];

const OF_CONNECTION: ReadonlySet<string> = new Set(HOP_BY_HOP);
const OF_CALLER: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...CLAIMS, "host", "cookie"]);
/** The playground's caller is known here; what they showed to be let in stays here. */
const OF_PERSON: ReadonlySet<string> = new Set([...OF_CALLER, "authorization"]);
const PROOFS_MAX = 10_000;

const namedByConnection = (headers: IncomingHttpHeaders): string[] =>
  (headers.connection ?? "").split(",").map((name) => name.trim().toLowerCase());

function without(message: IncomingMessage, dropped: ReadonlySet<string>): OutgoingHttpHeaders {
  const alsoDropped = namedByConnection(message.headers);
  const kept: OutgoingHttpHeaders = {};
  for (const [name, values] of Object.entries(message.headersDistinct)) {
    if (dropped.has(name) || alsoDropped.includes(name)) continue;
    kept[name] = values?.length === 1 ? values[0] : values;
  }
  return kept;
}

/** Makes proofs of addresses, remembering those of recent callers. */
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

/**
 * The headers of a call as the relay gets them: those of the caller without what belongs to the connection or claims an address,
 * with the address as we know it and the proof that it is us who say so. Cookies stay here. `person` is our word on whose playground
 * the call comes from.
 */
export function toRelayHeaders(
  request: IncomingMessage,
  options: { readonly address: string; readonly proof: string; readonly person?: string },
): OutgoingHttpHeaders {
  const { address, proof, person } = options;
  const headers: OutgoingHttpHeaders = {
    ...without(request, person === undefined ? OF_CALLER : OF_PERSON),
    ...(person === undefined ? {} : { [PLAYGROUND_HEADER]: person }),
    // The tracing of node:http does not see requests of ES modules.
    ...traceHeaders(),
    "x-forwarded-for": address,
    [CLIENT_IP_HEADER]: address,
    [CLIENT_PROOF_HEADER]: proof,
  };
  // A body of unknown length stays one; without this, Node sends none for methods that seldom have a body.
  if (request.headers["transfer-encoding"] !== undefined) headers["transfer-encoding"] = "chunked";
  return headers;
}

/** The headers of the relay's answer as the caller gets them. */
export const toCallerHeaders = (answer: IncomingMessage): OutgoingHttpHeaders => without(answer, OF_CONNECTION);
