import type { IncomingMessage } from "node:http";
import { isOidcToken } from "../../admission/oidc-token.ts";
import { API_VERSION } from "../../core/call/relay-call.ts";
import { RelayError } from "../../core/errors/relay-error.ts";

/** The path of a request, without its query and trailing slash. */
export function getPath({ url = "/" }: IncomingMessage): string {
  const path = url.split("?", 1)[0] ?? "/";
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path;
}

/**
 * Copies the query's credentials and API version to the headers. Google callers may send their key in the query, where
 * it takes precedence over a header; Azure's and iFlytek's callers send the API version there. Throws invalid_api_key for
 * a token of an issuer in the query: proxies log addresses, and whoever reads such a log could use it.
 */
export function copyQueryToHeaders({ url = "", headers }: IncomingMessage): void {
  const query = new URLSearchParams(url.slice(url.indexOf("?")));
  const key = query.get("key");
  const isKey = key !== null && /\/models|\/v1beta\//.test(url);
  if (isKey && isOidcToken(key))
    throw new RelayError("invalid_api_key", "send the token of an issuer in a header, not in the query");
  if (isKey) headers["x-goog-api-key"] = key;
  const version = query.get("api-version");
  if (version !== null) headers[API_VERSION] ??= version;
}

/** Whether the URL requests events (`alt=sse`). */
export const hasEventsQuery = (url: string): boolean =>
  url.includes("?") && /^sse$/i.test(new URLSearchParams(url.slice(url.indexOf("?"))).get("alt") ?? "");
