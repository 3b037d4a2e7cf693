import { createHmac, timingSafeEqual } from "node:crypto";

/** The client's address, as the gateway saw it when it passed a call through to the relay. */
export const CLIENT_IP_HEADER = "x-turnpike-client-ip";
/** Proof that the gateway wrote CLIENT_IP_HEADER. */
export const CLIENT_PROOF_HEADER = "x-turnpike-client-proof";

/** The proof for an address: HMAC-SHA256 with the internal secret, hex. */
export const makeClientAddressProof = (internalSecret: string, address: string): string =>
  createHmac("sha256", internalSecret).update(address).digest("hex");

/** Whether the proof belongs to the address; false for a caller that does not know the internal secret. */
export function verifyClientAddressProof(internalSecret: string, address: string, proof: string): boolean {
  const expected = Buffer.from(makeClientAddressProof(internalSecret, address));
  const sent = Buffer.from(proof);
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}
