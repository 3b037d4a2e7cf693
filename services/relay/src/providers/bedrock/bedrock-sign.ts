import aws4 from "aws4";
import type { Endpoint, UnsignedRequest } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";

/** The parsed key of a channel: `access key|secret key|region`, or `API key|region` for Bedrock's own bearer keys. */
export type BedrockKey = {
  readonly region: string;
  readonly bearer?: string;
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: string };
};

const REGION_DEFAULT = "us-east-1";

/** Parses a key; the default region is Virginia. */
export function readBedrockKey(key: string): BedrockKey {
  const [first = "", second = "", third] = key.split("|").map((part) => part.trim());
  if (third === undefined) return { region: second || REGION_DEFAULT, bearer: first };
  return { region: third || REGION_DEFAULT, credentials: { accessKeyId: first, secretAccessKey: second } };
}

/** Signs by AWS signature version 4, including the body and the requested host. */
export function signBedrock({ url, headers, method, body }: UnsignedRequest, target: Target, nowMs: number): Endpoint {
  const { region, bearer, credentials } = readBedrockKey(target.key);
  if (!credentials) return { url, headers: { ...headers, authorization: `Bearer ${bearer}` } };
  const { host, pathname, search } = new URL(url);
  const date = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, "");
  const signed = aws4.sign(
    {
      service: "bedrock",
      region,
      method,
      host,
      path: pathname + search,
      headers: { ...headers, Host: host, "X-Amz-Date": date },
      body,
    },
    credentials,
  );
  return {
    url,
    headers: Object.fromEntries(Object.entries(signed.headers ?? {}).map(([k, v]) => [k.toLowerCase(), String(v)])),
  };
}
