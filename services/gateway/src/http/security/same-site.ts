import type { IncomingHttpHeaders } from "node:http";

const getHost = (address: string): string | undefined => (URL.canParse(address) ? new URL(address).host : undefined);

/** Resources that pages load by themselves: an image in a message must not call the API with its reader's session. */
const LOADED_BY_PAGES = /^(image|script|style|font|audio|video|track|object|embed|iframe|frame|manifest)$/;

/**
 * Whether a request may change state. False when the browser reports that another site's page sent it, or that a page
 * loads it as a resource. Clients that are not browsers send neither header and pass. `isProxied` is true where
 * X-Forwarded-Host is trusted.
 */
export function isFromThisSite(request: {
  readonly headers: IncomingHttpHeaders;
  readonly serverAddress: string;
  readonly isProxied: boolean;
}): boolean {
  const { headers } = request;
  if (LOADED_BY_PAGES.test(String(headers["sec-fetch-dest"]))) return false;
  const fetchSite = headers["sec-fetch-site"];
  if (fetchSite === "same-origin" || fetchSite === "none") return true;
  const { origin } = headers;
  if (origin === undefined) return fetchSite === undefined;
  const originHost = getHost(origin);
  if (originHost === undefined) return false;
  const forwardedHost = request.isProxied ? headers["x-forwarded-host"] : undefined;
  return [headers.host, getHost(request.serverAddress), forwardedHost].includes(originHost);
}

const VOUCHING_HEADERS = ["veloera-user", "new-api-user"];

/**
 * Whether a request provably comes from this site's own page, or from a program. It protects GETs that change state and
 * carry nothing that another site's page could not send. A custom header of the console also proves it, because a page
 * of another site cannot set one.
 */
export function isSeenFromThisSite(request: Parameters<typeof isFromThisSite>[0]): boolean {
  const { headers } = request;
  if (!isFromThisSite(request)) return false;
  if (headers["sec-fetch-site"] === "same-origin" || headers.origin !== undefined) return true;
  if (VOUCHING_HEADERS.some((name) => headers[name] !== undefined)) return true;
  const { referer } = headers;
  if (referer === undefined) return false;
  const asOrigin = { host: headers.host, "x-forwarded-host": headers["x-forwarded-host"], origin: referer };
  return isFromThisSite({ ...request, headers: asOrigin });
}
