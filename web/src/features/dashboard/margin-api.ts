import { type MarginDimension, Margins } from "@turnpike/contract/api/prices/margin";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";

type Span = { readonly startSeconds: number; readonly endSeconds: number };

/** What calls earned and cost in a range, by one dimension; for administrators. */
export const marginsQuery = (by: MarginDimension, { startSeconds, endSeconds }: Span) =>
  queryOptions({
    queryKey: ["margins", by, startSeconds],
    queryFn: ({ signal }) =>
      api.get("/api/data/margin", {
        query: { by, start_timestamp: startSeconds, end_timestamp: endSeconds },
        schema: Margins,
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });

/** The address of the same as a file, in that language. */
export function marginsAddress(by: MarginDimension, { startSeconds, endSeconds }: Span, language: string): string {
  const range = { start_timestamp: String(startSeconds), end_timestamp: String(endSeconds) };
  return `/api/data/margin/export?${new URLSearchParams({ by, ...range, lang: language }).toString()}`;
}
