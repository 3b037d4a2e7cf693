import type { IncomingMessage } from "node:http";
import { createAddressList, plainAddress } from "../../admission/allow-list.ts";

type Verify = (address: string, proof: string) => boolean;

/**
 * The client's address: the peer's, unless the peer is the gateway (which authenticates its header) or a trusted proxy
 * (whose X-Forwarded-For is read from the right, past other trusted proxies). Headers of other peers are ignored.
 */
export function createClientAddress(options: {
  trustedProxies: string;
  verifyProof: Verify;
}): (request: IncomingMessage) => string {
  const networks = options.trustedProxies.split(",").filter((network) => network.trim() !== "");
  const isTrusted = networks.length > 0 ? createAddressList(networks) : () => false;
  return (request) => {
    const peer = plainAddress(request.socket.remoteAddress ?? "");
    const claimed = request.headers["x-turnpike-client-ip"];
    const proof = request.headers["x-turnpike-client-proof"];
    if (typeof claimed === "string" && typeof proof === "string" && options.verifyProof(claimed, proof)) return claimed;
    const forwarded = request.headers["x-forwarded-for"];
    if (forwarded === undefined || !isTrusted(peer)) return peer;
    const hops = String(forwarded)
      .split(",")
      .map((hop) => plainAddress(hop.trim()));
    return hops.findLast((hop) => !isTrusted(hop)) ?? hops[0] ?? peer;
  };
}
