import { createHash, createHmac } from "node:crypto";
import type { ReceivedRequest } from "./wire-format.ts";

/** The only account that the double accepts. */
export const AWS_ACCOUNT = {
  accessKey: "AKIDTURNPIKETEST",
  secretKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
  region: "us-west-2",
} as const;

const SERVICE = "bedrock";
const SKEW_MS = 5 * 60_000;
const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex");
const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest();

/** AWS encodes every byte except the unreserved ones. */
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);

/** Applied to a path as received: each segment is encoded once more, as all services except S3 require. */
const canonicalPath = (target: string): string => (target.split("?")[0] ?? "/").split("/").map(encode).join("/");

function canonicalRequest({ target, headers, bytes }: ReceivedRequest, signedHeaders: string): string {
  const lines = signedHeaders.split(";").map((name) => `${name}:${(headers[name] ?? "").trim().replace(/ +/g, " ")}\n`);
  return ["POST", canonicalPath(target), "", lines.join(""), signedHeaders, sha256(bytes)].join("\n");
}

/** What is wrong with a request's signature (version 4); undefined if it is valid for the account. */
export function awsSignatureProblem(request: ReceivedRequest): string | undefined {
  const { accessKey, secretKey, region } = AWS_ACCOUNT;
  const pattern =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/([^/]+)\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/;
  const match = pattern.exec(request.headers["authorization"] ?? "");
  if (!match) return "the authorization header has not the form of signature version 4";
  const [, key, date = "", scopeRegion, service, signedHeaders = "", signature] = match;
  if (key !== accessKey) return "The security token included in the request is invalid.";
  if (scopeRegion !== region || service !== SERVICE) return `Credential should be scoped to ${region}/${SERVICE}`;
  if (!signedHeaders.split(";").includes("host")) return "the host must be signed";
  const at = request.headers["x-amz-date"] ?? "";
  const atMs = Date.parse(at.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z"));
  if (!(Math.abs(Date.now() - atMs) < SKEW_MS)) return "Signature expired";
  const scope = `${date}/${region}/${SERVICE}/aws4_request`;
  const toSign = ["AWS4-HMAC-SHA256", at, scope, sha256(canonicalRequest(request, signedHeaders))].join("\n");
  const signingKey = [region, SERVICE, "aws4_request"].reduce<Buffer>(hmac, hmac(`AWS4${secretKey}`, date));
  const expected = hmac(signingKey, toSign).toString("hex");
  return expected === signature
    ? undefined
    : "The request signature we calculated does not match the signature you provided.";
}
