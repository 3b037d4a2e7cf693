import type { IncomingHttpHeaders } from "node:http";

const hostOf = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined);

/**
 * Whether a request may change something: false when the browser says that another site's page sent it. Programs that are no
 * browsers send neither header and pass. `isProxied` says whether X-Forwarded-Host is believed.
 */
export function isFromThisSite(request: {
  readonly headers: IncomingHttpHeaders;
  readonly serverAddress: string;
  readonly isProxied: boolean;
}): boolean {
  const { headers } = request;
  const fetchSite = headers["sec-fetch-site"];
  if (fetchSite === "same-origin" || fetchSite === "none") return true;
  const { origin } = headers;
  if (origin === undefined) return fetchSite === undefined;
  const originHost = hostOf(origin);
  if (originHost === undefined) return false;
  const forwardedHost = request.isProxied ? headers["x-forwarded-host"] : undefined;
  return [headers.host, hostOf(request.serverAddress), forwardedHost].includes(originHost);
}
