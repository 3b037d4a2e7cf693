import { createHmac } from "node:crypto";
import type { Endpoint, UnsignedRequest } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";

/** The parsed key of a channel: `app id|API secret|API key`. */
export function readIflytekKey(key: string): { appId: string; apiSecret: string; apiKey: string } {
  const [appId = "", apiSecret = "", apiKey = ""] = key.split("|").map((part) => part.trim());
  return { appId, apiSecret, apiKey };
}

/** Signs the URL as documented: HMAC-SHA256 over the requested host, the date and the request line of the handshake. */
export function signIflytek({ url, headers }: UnsignedRequest, target: Target, nowMs: number): Endpoint {
  const { apiSecret, apiKey } = readIflytekKey(target.key);
  const { host, pathname } = new URL(url);
  const date = new Date(nowMs).toUTCString();
  const toSign = `host: ${host}\ndate: ${date}\nGET ${pathname} HTTP/1.1`;
  const signature = createHmac("sha256", apiSecret).update(toSign).digest("base64");
  const words = `api_key="${apiKey}", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`;
  const query = new URLSearchParams({ authorization: Buffer.from(words).toString("base64"), date, host });
  return { url: `${url}?${query.toString()}`, headers };
}
