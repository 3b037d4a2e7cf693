/** Attributes in which instrumentations put addresses, by old and new conventions. */
const ADDRESSES = ["url.full", "http.url", "http.target"] as const;

/** An address without its query, because some providers and callers put keys there. */
export const stripQuery = (address: string): string => address.split("?", 1)[0] ?? "";

type Span = { setAttribute: (name: string, value: string) => unknown };

/** Replaces addresses in a span by their form without a query. */
export function redactUrl(span: Span, address: string): void {
  const bare = stripQuery(address);
  for (const name of ADDRESSES) span.setAttribute(name, bare);
  span.setAttribute("url.query", "");
}
