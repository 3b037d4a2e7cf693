import { createHash, createHmac } from "node:crypto";
import type { Endpoint, UnsignedRequest } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";

const ALGORITHM = "TC3-HMAC-SHA256";
const SERVICE = "hunyuan";
const SIGNED_HEADERS = "content-type;host;x-tc-action";

/** The parsed key of a channel: `app id|secret id|secret key`; the app id is optional. */
export function readTencentKey(key: string): { secretId: string; secretKey: string } {
  const [secretKey = "", secretId = ""] = key
    .split("|")
    .map((part) => part.trim())
    .toReversed();
  return { secretId, secretKey };
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** Signs by TC3-HMAC-SHA256, over the requested host and the body. */
export function signTencent({ url, headers, body }: UnsignedRequest, target: Target, nowMs: number): Endpoint {
  const { secretId, secretKey } = readTencentKey(target.key);
  const { host, pathname } = new URL(url);
  const action = (headers["x-tc-action"] ?? "").toLowerCase();
  const seconds = Math.floor(nowMs / 1000);
  const day = new Date(seconds * 1000).toISOString().slice(0, 10);
  const scope = `${day}/${SERVICE}/tc3_request`;
  const signedLines = `content-type:${headers["content-type"]}\nhost:${host}\nx-tc-action:${action}\n`;
  const canonical = `POST\n${pathname}\n\n${signedLines}\n${SIGNED_HEADERS}\n${sha256(body)}`;
  const key = [day, SERVICE, "tc3_request"].reduce<string | Buffer>(hmac, `TC3${secretKey}`);
  const signature = hmac(key, `${ALGORITHM}\n${seconds}\n${scope}\n${sha256(canonical)}`).toString("hex");
  const credential = `Credential=${secretId}/${scope}`;
  return {
    url,
    headers: {
      ...headers,
      host,
      "x-tc-timestamp": String(seconds),
      authorization: `${ALGORITHM} ${credential}, SignedHeaders=${SIGNED_HEADERS}, Signature=${signature}`,
    },
  };
}
