import type { IncomingMessage } from "node:http";

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
