import { UsageHourList } from "@turnpike/contract/api/data";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";
import { hasPartHours } from "./usage/part-hours.ts";

/** Whose usage is shown: that of the whole site, of one user by name, or one's own. */
export type UsageScope = { readonly all: boolean; readonly username?: string | undefined };

/** Hourly usage by model in a time range. */
export const usageQuery = ({ all, username }: UsageScope, startSeconds: number, endSeconds: number) =>
  queryOptions({
    queryKey: ["usage", all, username, startSeconds, endSeconds],
    queryFn: ({ signal }) =>
      api.get(all ? "/api/data/" : "/api/data/self", {
        query: {
          start_timestamp: startSeconds,
          end_timestamp: endSeconds,
          username,
          quarter_hours: hasPartHours(startSeconds) ? true : undefined,
        },
        schema: UsageHourList,
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
