import { createCipheriv, createDecipheriv, createHmac, timingSafeEqual } from "node:crypto";
import { deriveKeys, deriveLastingKey } from "./secret-box.ts";

/**
 * Deterministic authenticated encryption for short values that callers hold: equal values have equal seals, every
 * holder of the master key reads them, and nothing is stored. A seal is base64url of a synthetic IV (HMAC-SHA256 of
 * purpose and value, 16 bytes) and the value in AES-256-CTR under that IV. Source of the construction: RFC 5297.
 */
export type StateSeal = {
  readonly seal: (purpose: string, value: Buffer) => string;
  /** Undefined for text that was forged, altered, truncated, or sealed for another purpose or by another key. */
  readonly open: (purpose: string, sealed: string) => Buffer | undefined;
  /** A short name of a secret, the same in one installation for ever, also when its master key changes. */
  readonly fingerprint: (secret: string) => Buffer;
};

const IV_BYTES = 16;
const FINGERPRINT_BYTES = 4;
const CIPHER = "aes-256-ctr";

/** Seals by the first key of the list; opens by each of them, so that keys can rotate. */
export function createStateSeal(masterKey: string): StateSeal {
  const encryption = deriveKeys(masterKey, "state-seal encryption");
  const authentication = deriveKeys(masterKey, "state-seal authentication");
  const naming = deriveLastingKey(masterKey, "state-seal fingerprint");
  const makeIv = (at: number, purpose: string, value: Buffer): Buffer =>
    createHmac("sha256", authentication[at] as Buffer)
      .update(`${purpose.length}:${purpose}`)
      .update(value)
      .digest()
      .subarray(0, IV_BYTES);
  const openWith = (at: number, purpose: string, bytes: Buffer): Buffer | undefined => {
    const iv = bytes.subarray(0, IV_BYTES);
    const value = createDecipheriv(CIPHER, encryption[at] as Buffer, iv).update(bytes.subarray(IV_BYTES));
    return timingSafeEqual(iv, makeIv(at, purpose, value)) ? value : undefined;
  };
  return {
    seal(purpose, value) {
      const iv = makeIv(0, purpose, value);
      const sealed = createCipheriv(CIPHER, encryption[0] as Buffer, iv).update(value);
      return Buffer.concat([iv, sealed]).toString("base64url");
    },
    open(purpose, sealed) {
      const bytes = Buffer.from(sealed, "base64url");
      // Base64 of other forms decodes to the same bytes: one value has one seal.
      if (bytes.length <= IV_BYTES || bytes.toString("base64url") !== sealed) return undefined;
      for (const at of encryption.keys()) {
        const value = openWith(at, purpose, bytes);
        if (value) return value;
      }
      return undefined;
    },
    fingerprint: (secret) => createHmac("sha256", naming).update(secret).digest().subarray(0, FINGERPRINT_BYTES),
  };
}
