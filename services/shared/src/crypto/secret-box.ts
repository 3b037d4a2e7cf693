import { createCipheriv, createDecipheriv, createHash, createHmac, hkdfSync, randomBytes } from "node:crypto";

/**
 * Encryption at rest: AES-256-GCM. A box is `<key id>.<nonce>.<ciphertext and tag>`, base64url. `MASTER_KEY` is one key or a
 * comma list: new boxes use the first, old ones open with the key they name, so keys can rotate. A key is 32 bytes in base64 or
 * hex; any other text of 16 characters or more is stretched by SHA-256. A part `lookup:<32 bytes in base64url>` is no key that
 * encrypts or decrypts: see `createLookupHash`.
 */
export type SecretBox = { readonly seal: (plain: string) => string; readonly open: (box: string) => string };

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

function keyBytes(text: string): Buffer {
  if (/^[0-9a-f]{64}$/i.test(text)) return Buffer.from(text, "hex");
  const decoded = Buffer.from(text, "base64");
  if (decoded.length === 32) return decoded;
  if (text.length < 16)
    throw new Error("MASTER_KEY: a key must be 32 bytes in base64 or hex, or text of at least 16 characters");
  return createHash("sha256").update(text).digest();
}

const LOOKUP = "lookup:";

const readParts = (masterKey: string): string[] =>
  masterKey
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");

const masterKeys = (masterKey: string): Buffer[] =>
  readParts(masterKey)
    .filter((part) => !part.startsWith(LOOKUP))
    .map(keyBytes);

const derive = (key: Buffer, purpose: string): Buffer => Buffer.from(hkdfSync("sha256", key, "turnpike", purpose, 32));

/** One key for a purpose from each master key of the list, the current one first. Throws for an empty list. */
export function deriveKeys(masterKey: string, purpose: string): readonly Buffer[] {
  const keys = masterKeys(masterKey).map((key) => derive(key, purpose));
  if (keys.length === 0) throw new Error("MASTER_KEY is empty");
  return keys;
}

/**
 * Encrypts and decrypts secrets; `open` throws when the box was made with a key that is not in the list, or was
 * altered.
 */
export function createSecretBox(masterKey: string): SecretBox {
  const keys = masterKeys(masterKey).map((key) => ({
    id: createHash("sha256").update(key).digest("hex").slice(0, 8),
    key: derive(key, "secret-box"),
  }));
  const [current] = keys;
  if (!current) throw new Error("MASTER_KEY is empty");
  return {
    seal(plain) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", current.key, nonce);
      const sealed = Buffer.concat([cipher.update(plain, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return `${current.id}.${nonce.toString("base64url")}.${sealed.toString("base64url")}`;
    },
    open(box) {
      const [id, nonceText = "", sealedText = ""] = box.split(".");
      const entry = keys.find((key) => key.id === id);
      if (!entry) throw new Error("the secret was encrypted with a master key that is not configured");
      const sealed = Buffer.from(sealedText, "base64url");
      const decipher = createDecipheriv("aes-256-gcm", entry.key, Buffer.from(nonceText, "base64url"));
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
      return Buffer.concat([decipher.update(sealed.subarray(0, -TAG_BYTES)), decipher.final()]).toString("utf8");
    },
  };
}

function getLookupKey(masterKey: string): Buffer {
  const given = readParts(masterKey).find((part) => part.startsWith(LOOKUP));
  if (given !== undefined) {
    const key = Buffer.from(given.slice(LOOKUP.length), "base64url");
    if (key.length !== LOOKUP_KEY_BYTES)
      throw new Error("MASTER_KEY: what follows lookup: must be 32 bytes in base64url");
    return key;
  }
  const oldest = masterKeys(masterKey).at(-1);
  if (!oldest) throw new Error("MASTER_KEY is empty");
  return derive(oldest, "lookup-hash");
}
const LOOKUP_KEY_BYTES = 32;

/** A key for a purpose that stays the same through every change of the master key, also when the oldest key was removed. */
export const deriveLastingKey = (masterKey: string, purpose: string): Buffer =>
  derive(getLookupKey(masterKey), purpose);

/**
 * The part of MASTER_KEY that replaces the oldest key after a rotation: lookups need only what is derived from it, which decrypts
 * nothing.
 */
export const toLookupPart = (masterKey: string): string => `${LOOKUP}${getLookupKey(masterKey).toString("base64url")}`;

/**
 * A keyed hash for looking up secrets without storing them: HMAC-SHA256, hex. Its key must stay the same for ever, since some of
 * these secrets are stored as nothing but their hash: it is the list's `lookup:` part, else derived from the last key (the oldest).
 */
export function createLookupHash(masterKey: string): (secret: string) => string {
  const key = getLookupKey(masterKey);
  return (secret) => createHmac("sha256", key).update(secret).digest("hex");
}
