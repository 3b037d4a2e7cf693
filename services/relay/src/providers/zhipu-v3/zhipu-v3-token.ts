import { createHmac } from "node:crypto";

const LIFETIME_MS = 86_400_000;
const RENEW_BEFORE_MS = 3_600_000;
const KEYS_MAX = 1_000;

type Held = { readonly token: string; readonly renewAtMs: number };

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const held = new Map<string, Held>();

function sign(key: string, nowMs: number): string {
  const [id = "", secret = ""] = key.split(".");
  const header = encode({ alg: "HS256", sign_type: "SIGN" });
  const claims = encode({ api_key: id, exp: nowMs + LIFETIME_MS, timestamp: nowMs });
  const signature = createHmac("sha256", secret).update(`${header}.${claims}`).digest("base64url");
  return `${header}.${claims}.${signature}`;
}

/** The token signed by `id.secret` for a day; it is reused until an hour before its end. */
export function zhipuToken(key: string, nowMs: number): string {
  const known = held.get(key);
  if (known && known.renewAtMs > nowMs) return known.token;
  if (held.size >= KEYS_MAX) held.clear();
  const token = sign(key, nowMs);
  held.set(key, { token, renewAtMs: nowMs + LIFETIME_MS - RENEW_BEFORE_MS });
  return token;
}
