import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";

/** The NATS header that carries the signature of a usage message. */
export const USAGE_SIGNATURE_HEADER = "Turnpike-Signature";

const KEY_BYTES = 32;
/** Makes a key of its own from the secret: no other use of the secret can produce these signatures. */
const PURPOSE = "turnpike usage messages v1";

/**
 * Signs usage messages with a key derived from the install's secret, so that only its services can post usage: whoever
 * else may publish on the NATS server has no key. The form is `v1=<HMAC-SHA-256 of the payload in hex>`.
 */
export function createUsageSigner(internalSecret: string) {
  const key = Buffer.from(hkdfSync("sha256", internalSecret, "", PURPOSE, KEY_BYTES));
  const sign = (payload: string): string => `v1=${createHmac("sha256", key).update(payload).digest("hex")}`;
  return {
    sign,
    /** False for a payload that was changed, and for a signature that is missing or another's. */
    verify(payload: string, signature: string): boolean {
      const [expected, given] = [Buffer.from(sign(payload)), Buffer.from(signature)];
      return expected.length === given.length && timingSafeEqual(expected, given);
    },
  };
}
export type UsageSigner = ReturnType<typeof createUsageSigner>;
