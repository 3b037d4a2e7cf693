import type { HourHealth, Overview, TopChannel, TopUser } from "@turnpike/contract/api/report";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api-client.ts";
import { isFlag, isListOf, isMapOf, isNumber, isObjectOf, isText } from "../../lib/check.ts";

const isOverview = isObjectOf<Overview>({
  first_day: isNumber,
  users: isListOf(
    isObjectOf<TopUser>({
      user_id: isNumber,
      username: isText,
      count: isNumber,
      quota: isNumber,
      token_used: isNumber,
    }),
  ),
  channels: isListOf(
    isObjectOf<TopChannel>({
      channel_id: isNumber,
      channel_name: isText,
      count: isNumber,
      quota: isNumber,
      token_used: isNumber,
      error_count: isNumber,
      average_ms: isNumber,
    }),
  ),
  hours: isListOf(
    isObjectOf<HourHealth>({
      hour: isNumber,
      count: isNumber,
      error_count: isNumber,
      total_steps: isMapOf(isNumber),
      first_token_steps: isMapOf(isNumber),
    }),
  ),
  errors_logged: isFlag,
});

/** Who and what used most, and how the site answered, from a moment on; for admins. */
export const overviewQuery = (startSeconds: number, endSeconds: number) =>
  queryOptions({
    queryKey: ["overview", startSeconds],
    queryFn: ({ signal }) =>
      api.get("/api/data/overview", {
        query: { start_timestamp: startSeconds, end_timestamp: endSeconds },
        fits: isOverview,
        signal,
      }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });
