import type { IncomingMessage } from "node:http";
import { clientAddress, type ProxyTrust } from "@turnpike/shared/http/client-address";

type Verify = (address: string, proof: string) => boolean;

/**
 * The client's address: what the gateway reports (it authenticates its header), else what a proxy reports that the
 * environment or the reverse-proxy options trust, else the peer's own.
 */
export const createClientAddress =
  (deps: { trust: () => ProxyTrust; verifyProof: Verify }): ((request: IncomingMessage) => string) =>
  ({ headers, socket }) => {
    const claimed = headers["x-turnpike-client-ip"];
    const proof = headers["x-turnpike-client-proof"];
    if (typeof claimed === "string" && typeof proof === "string" && deps.verifyProof(claimed, proof)) return claimed;
    return clientAddress(socket.remoteAddress, headers, deps.trust()).address;
  };
