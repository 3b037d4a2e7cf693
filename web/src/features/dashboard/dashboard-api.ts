import type { UsageHour } from "@turnpike/contract/api/data";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api-client.ts";
import { isListOf, isNumber, isObjectOf, isText } from "../../lib/check.ts";

const isUsageHours = isListOf(
  isObjectOf<UsageHour>({
    user_id: isNumber,
    username: isText,
    model_name: isText,
    created_at: isNumber,
    token_used: isNumber,
    count: isNumber,
    quota: isNumber,
  }),
);

/** Hourly use by model, of the whole site or one's own, within a span of time. */
export const usageQuery = (all: boolean, startSeconds: number, endSeconds: number) =>
  queryOptions({
    queryKey: ["usage", all, startSeconds, endSeconds],
    queryFn: ({ signal }) =>
      api.get(all ? "/api/data/" : "/api/data/self", {
        query: { start_timestamp: startSeconds, end_timestamp: endSeconds },
        fits: isUsageHours,
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
