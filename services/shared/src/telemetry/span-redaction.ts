/** Keys under which instrumentations put addresses, by old and new conventions. */
const ADDRESSES = ["url.full", "http.url", "http.target"] as const;

/** What an address looks like in a span: without its query, in which some providers and callers put keys. */
export const stripQuery = (address: string): string => address.split("?", 1)[0] ?? "";

type Span = { setAttribute: (name: string, value: string) => unknown };

/** Writes the address again without its query; nothing of a query is ever kept in a span. */
export function redactUrl(span: Span, address: string): void {
  const bare = stripQuery(address);
  for (const name of ADDRESSES) span.setAttribute(name, bare);
  span.setAttribute("url.query", "");
}
