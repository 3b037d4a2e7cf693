import { createDecipheriv, createHash, hkdfSync } from "node:crypto";
import nacl from "tweetnacl";

/**
 * Values that LiteLLM encrypted, as of `litellm/proxy/common_utils/encrypt_decrypt_utils.py` (litellm 1.110.2; the third form is that
 * of its development branch). Node has AES-GCM and HKDF, and no XSalsa20-Poly1305.
 */

const TAG_BYTES = 16;
const GCM_NONCE_BYTES = 12;
const KEY_BYTES = 32;

const digestKey = (saltKey: string): Buffer => createHash("sha256").update(saltKey).digest();
const expandKey = (saltKey: string): Buffer =>
  Buffer.from(hkdfSync("sha256", saltKey, "", "litellm-at-rest-v3", KEY_BYTES));

/** How the key of AES-256-GCM comes from the salt key, by the mark before the base64. */
const GCM_KEYS: Readonly<Record<string, (saltKey: string) => Buffer>> = {
  "v2:gcm:": digestKey,
  "v3:gcm:": expandKey,
};
const GCM_MARK = /^v\d:gcm:/;

/** Nonce, text and tag. */
function openGcm(sealed: Buffer, key: Buffer): string | undefined {
  if (sealed.length < GCM_NONCE_BYTES + TAG_BYTES) return undefined;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, sealed.subarray(0, GCM_NONCE_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
    const text = decipher.update(sealed.subarray(GCM_NONCE_BYTES, -TAG_BYTES));
    return Buffer.concat([text, decipher.final()]).toString("utf8");
  } catch {
    return undefined;
  }
}

/** Nonce, tag and text, as PyNaCl's SecretBox writes them. */
function openSecretBox(sealed: Buffer, key: Buffer): string | undefined {
  const { nonceLength, overheadLength, open } = nacl.secretbox;
  if (sealed.length < nonceLength + overheadLength) return undefined;
  const text = open(sealed.subarray(nonceLength), sealed.subarray(0, nonceLength), key);
  return text === null ? undefined : Buffer.from(text).toString("utf8");
}

/** Whether a text has LiteLLM's mark of AES-256-GCM, of any version. */
export const hasGcmMark = (text: string): boolean => GCM_MARK.test(text);

/**
 * Opens a value that LiteLLM encrypted with its salt key: base64 of a secretbox, or `v2:gcm:` or `v3:gcm:` with base64 of AES-256-GCM.
 * The key is the SHA-256 of the salt key, for `v3` its HKDF-SHA256. Undefined if the value is none, has another mark, or was encrypted
 * with another key.
 */
export function openLiteLlmValue(value: string, saltKey: string): string | undefined {
  const [mark] = GCM_MARK.exec(value) ?? [];
  if (mark === undefined) return openSecretBox(Buffer.from(value, "base64"), digestKey(saltKey));
  const toKey = GCM_KEYS[mark];
  return toKey && openGcm(Buffer.from(value.slice(mark.length), "base64"), toKey(saltKey));
}
