import { isForeignKey, isOwnKey } from "@turnpike/shared/crypto/token-key-hash";
import { isOidcToken } from "./oidc-token.ts";
import type { IncomingHttpHeaders } from "node:http";

/**
 * A caller's key without its header format, and the channel an administrator pinned after it. The key is without `sk-`
 * if this gateway made it, and as sent if another one may have made it, or if it is a token of an issuer.
 */
export type Credentials = { readonly key: string; readonly pinnedChannel: string | undefined };

const WEBSOCKET_KEY_PREFIX = "openai-insecure-api-key.";

function webSocketKey(protocols: string | undefined): string | undefined {
  return protocols
    ?.split(",")
    .map((protocol) => protocol.trim())
    .find((protocol) => protocol.startsWith(WEBSOCKET_KEY_PREFIX))
    ?.slice(WEBSOCKET_KEY_PREFIX.length);
}

const single = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

const REMEMBERED_MAX = 10_000;
const remembered = new Map<string, Credentials>();

function parseKey(sent: string): Credentials | undefined {
  const text = sent.trim().replace(/^sk-/, "");
  if (text === "") return undefined;
  if (isOidcToken(text)) return { key: text, pinnedChannel: undefined };
  const dash = text.indexOf("-");
  const key = dash < 0 ? text : text.slice(0, dash);
  // Keys of other gateways may contain dashes; their hash includes the prefix.
  if (!isOwnKey(key) && isForeignKey(sent.trim())) return { key: sent.trim(), pinnedChannel: undefined };
  return { key, pinnedChannel: dash < 0 ? undefined : text.slice(dash + 1) };
}

/** Callers send the same header repeatedly, so the parsed result is cached. */
function parseAuthorization(header: string): Credentials | undefined {
  const known = remembered.get(header);
  if (known) return known;
  const credentials = parseKey(header.replace(/^bearer\s+/i, ""));
  if (!credentials) return undefined;
  // Tokens of issuers are long and short-lived.
  if (isOidcToken(credentials.key)) return credentials;
  if (remembered.size >= REMEMBERED_MAX) remembered.clear();
  remembered.set(header, credentials);
  return credentials;
}

const GOOGLE_PATH = /\/v1beta\/|\/models(?:\/|$)/;
/** Clients of Midjourney proxies send their client name in the header where others send the key. */
const NO_KEY = /^\s*(?:bearer)?\s*(?:midjourney-proxy)?\s*$/i;

/** The content of Authorization; if that is empty, `mj-api-secret`, or nothing if another key header is present. */
function getAuthorization(headers: IncomingHttpHeaders, other: string | undefined): string | undefined {
  const { authorization } = headers;
  const secret = single(headers["mj-api-secret"]);
  if ((other ?? secret) === undefined) return authorization;
  if (authorization !== undefined && !NO_KEY.test(authorization)) return authorization;
  return other === undefined ? secret : undefined;
}

/**
 * The key a caller sent, in any of the accepted forms: `x-api-key` (Anthropic; takes precedence over Authorization on
 * Anthropic paths), Authorization with or without `Bearer`, `x-goog-api-key` (Google; takes precedence on Google
 * paths), `api-key` (Azure), `mj-api-secret`, the realtime subprotocol. A token of an issuer is accepted in all of them,
 * but not in Google's `?key=` (http/server/request-url.ts). `sk-` is optional; text after the first `-` of a key that
 * this gateway made names a channel.
 */
export function readCredentials(headers: IncomingHttpHeaders, path: string): Credentials | undefined {
  const webSocket = webSocketKey(single(headers["sec-websocket-protocol"]));
  if (webSocket !== undefined) return parseKey(webSocket);
  const googleKey = single(headers["x-goog-api-key"]);
  const apiKey = single(headers["x-api-key"]) ?? single(headers["api-key"]);
  const authorization = getAuthorization(headers, googleKey ?? apiKey);
  if (googleKey !== undefined && (authorization === undefined || GOOGLE_PATH.test(path))) return parseKey(googleKey);
  const isAnthropic = path.includes("/v1/messages") || headers["anthropic-version"] !== undefined;
  if (apiKey !== undefined && (isAnthropic || authorization === undefined)) return parseKey(apiKey);
  return authorization === undefined ? undefined : parseAuthorization(authorization);
}
