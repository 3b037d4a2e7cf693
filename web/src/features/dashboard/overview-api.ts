import { Overview } from "@turnpike/contract/api/report";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";

/** Top users, top channels and latency since a time; for administrators. */
export const overviewQuery = (startSeconds: number, endSeconds: number) =>
  queryOptions({
    queryKey: ["overview", startSeconds],
    queryFn: ({ signal }) =>
      api.get("/api/data/overview", {
        query: { start_timestamp: startSeconds, end_timestamp: endSeconds },
        schema: Overview,
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
