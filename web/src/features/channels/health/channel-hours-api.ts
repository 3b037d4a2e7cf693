import { ChannelHours } from "@turnpike/contract/api/channels/channel-health";
import { keepPreviousData, queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { z } from "zod/mini";
import { api } from "../../../lib/api/api-client.ts";

/** The last 24 hours of these channels, in one request for all rows of a list. */
export const channelHoursQuery = (ids: readonly number[]) =>
  queryOptions({
    queryKey: ["channel-hours", ...ids],
    queryFn: ({ signal }) =>
      api.get("/api/channel/hours", { query: { ids: ids.join(",") }, schema: z.array(ChannelHours), signal }),
    enabled: ids.length > 0,
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  });

/** Tags may hold more channels than a request can name. */
const CHANNELS_MAX = 200;

/** The hours of the listed channels by number; empty until they are read. */
export function useChannelHours(ids: readonly number[]): ReadonlyMap<number, ChannelHours["hours"]> {
  const { data } = useQuery(channelHoursQuery(ids.toSorted((a, b) => a - b).slice(0, CHANNELS_MAX)));
  return useMemo(() => new Map(data?.map(({ channel_id, hours }) => [channel_id, hours])), [data]);
}
