/** How often an address that people gave may lead on to another. */
export const REDIRECTS_MAX = 3;

/** Where an answer from `url` sends to: "" for a place that is no address, undefined when it sends nowhere. */
export function redirectedTo(url: string, status: number, location: unknown): string | undefined {
  if (status < 300 || status >= 400 || typeof location !== "string") return undefined;
  return URL.canParse(location, url) ? new URL(location, url).href : "";
}
