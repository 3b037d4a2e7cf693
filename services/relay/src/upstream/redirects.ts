/** Maximum redirects of a URL that a caller gave. */
export const REDIRECTS_MAX = 3;

/** The redirect target of a response from `url`: "" for an invalid URL, undefined if it is not a redirect. */
export function getRedirectTarget(url: string, status: number, location: unknown): string | undefined {
  if (status < 300 || status >= 400 || typeof location !== "string") return undefined;
  return URL.canParse(location, url) ? new URL(location, url).href : "";
}
