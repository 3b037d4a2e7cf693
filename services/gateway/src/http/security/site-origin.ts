import type { IncomingMessage } from "node:http";
import { isSeenFromThisSite } from "./same-site.ts";

const first = (value: string | string[] | undefined): string | undefined =>
  (Array.isArray(value) ? value[0] : value)?.split(",")[0]?.trim();

/**
 * The origin at which the caller's browser sees this site: its host, and the scheme that a trusted proxy reports. ""
 * when the request names no plain host.
 */
export function getOrigin(request: IncomingMessage, isProxied: boolean): string {
  const { headers } = request;
  const host = (isProxied ? first(headers["x-forwarded-host"]) : undefined) ?? headers.host ?? "";
  if (!/^[\w.\-:[\]]+$/.test(host)) return "";
  const scheme = isProxied && first(headers["x-forwarded-proto"]) === "https" ? "https" : "http";
  return `${scheme}://${host}`;
}

/**
 * The origin of this site's page that sent a request, as its browser reports it, which holds behind proxies that change
 * the host; else the origin of the request.
 */
export function getPageOrigin(request: IncomingMessage, isProxied: boolean): string {
  const { headers } = request;
  const page = headers.origin ?? headers.referer ?? "";
  const isOwnPage = URL.canParse(page) && isSeenFromThisSite({ headers, serverAddress: "", isProxied });
  return isOwnPage ? new URL(page).origin : getOrigin(request, isProxied);
}
