import { createHash, timingSafeEqual } from "node:crypto";

const UNSIGNED = new Set(["sign", "sign_type"]);

/**
 * Epay's signature: the nonempty fields sorted by the bytes of their names, joined unescaped, then the merchant's key;
 * MD5 in hex.
 */
export function signEpay(fields: Readonly<Record<string, string>>, key: string): string {
  const text = Object.entries(fields)
    .filter(([name, value]) => !UNSIGNED.has(name) && value !== "")
    .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  return createHash("md5")
    .update(text + key)
    .digest("hex");
}

/** Whether the fields carry a valid signature. Never true for an empty key. */
export function isEpaySigned(fields: Readonly<Record<string, string>>, key: string): boolean {
  if (key === "") return false;
  const sent = Buffer.from((fields["sign"] ?? "").toLowerCase());
  const right = Buffer.from(signEpay(fields, key));
  return sent.length === right.length && timingSafeEqual(sent, right);
}
