import { createSign } from "node:crypto";
import { asNumber, asObject, asText, parseJson } from "../../core/chat/json.ts";
import { getFailure } from "../shared/upstream-failure.ts";
import type { TokenExchange } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";

/** The fields of a service account's key file that are used. */
export type ServiceAccount = {
  readonly projectId: string;
  readonly clientEmail: string;
  readonly privateKey: string;
  readonly keyId: string | undefined;
  readonly tokenUri: string;
};

const TOKEN_URI = "https://oauth2.googleapis.com/token";
const SCOPE = "https://www.googleapis.com/auth/cloud-platform";
const LIFETIME_SECONDS = 3_600;
const ACCOUNTS_MAX = 1_000;

const unusableKey = (): StreamFailure =>
  new StreamFailure(
    getFailure("the channel's key is not a usable service account", {
      type: "authentication_error",
      code: "invalid_key",
    }),
    401,
  );

function parseAccount(key: string): ServiceAccount {
  const file = asObject(parseJson(key));
  const projectId = asText(file?.["project_id"]);
  const clientEmail = asText(file?.["client_email"]);
  const privateKey = asText(file?.["private_key"]);
  if (!projectId || !clientEmail || !privateKey) throw unusableKey();
  const tokenUri = asText(file?.["token_uri"]) || TOKEN_URI;
  return { projectId, clientEmail, privateKey, keyId: asText(file?.["private_key_id"]), tokenUri };
}

const accounts = new Map<string, ServiceAccount>();

/** The parsed service account of a channel's key, cached. Throws StreamFailure (401) if it is invalid. */
export function readServiceAccount(key: string): ServiceAccount {
  const known = accounts.get(key);
  if (known) return known;
  const account = parseAccount(key);
  if (accounts.size >= ACCOUNTS_MAX) accounts.clear();
  accounts.set(key, account);
  return account;
}

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString("base64url");

function assertion(account: ServiceAccount, nowMs: number): string {
  const issuedAt = Math.floor(nowMs / 1000);
  const header = { alg: "RS256", typ: "JWT", ...(account.keyId ? { kid: account.keyId } : {}) };
  const claims = {
    iss: account.clientEmail,
    scope: SCOPE,
    aud: account.tokenUri,
    iat: issuedAt,
    exp: issuedAt + LIFETIME_SECONDS,
  };
  const signed = `${encode(header)}.${encode(claims)}`;
  try {
    return `${signed}.${createSign("RSA-SHA256").update(signed).sign(account.privateKey, "base64url")}`;
  } catch {
    throw unusableKey();
  }
}

/**
 * The key file's token URL; a channel's base URL replaces Google's, because a site that sets one cannot reach Google
 * directly.
 */
function tokenUrl({ tokenUri }: ServiceAccount, baseUrl: string): string {
  const url = new URL(tokenUri);
  return baseUrl !== "" && url.hostname.endsWith(".googleapis.com") ? new URL(baseUrl).origin + url.pathname : tokenUri;
}

function readToken(value: unknown): { token: string; lifetimeSeconds: number } {
  const body = asObject(value);
  const token = asText(body?.["access_token"]);
  if (!token) throw unusableKey();
  return { token, lifetimeSeconds: asNumber(body?.["expires_in"]) ?? LIFETIME_SECONDS };
}

/** A signed claim for an access token (RFC 7523). Throws StreamFailure (401) for keys that cannot sign. */
export function exchangeServiceAccount({ key, baseUrl }: Target, nowMs: number): TokenExchange {
  const account = readServiceAccount(key);
  return {
    url: tokenUrl(account, baseUrl),
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({
      grant_type: "urn:ietf:params:oauth:grant-type:jwt-bearer",
      assertion: assertion(account, nowMs),
    }).toString(),
    read: readToken,
  };
}
