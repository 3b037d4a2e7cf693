import { UsageHourList } from "@turnpike/contract/api/data";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api-client.ts";

/** Hourly use by model, of the whole site or one's own, from a moment on. */
export const usageQuery = (all: boolean, startSeconds: number, endSeconds: number) =>
  queryOptions({
    queryKey: ["usage", all, startSeconds],
    queryFn: ({ signal }) =>
      api.get(all ? "/api/data/" : "/api/data/self", {
        query: { start_timestamp: startSeconds, end_timestamp: endSeconds },
        schema: UsageHourList,
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
