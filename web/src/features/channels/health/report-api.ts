import { ChannelReport, ReportDay } from "@turnpike/contract/api/channels/provider-report";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod/mini";
import { api } from "../../../lib/api/api-client.ts";

/** Fetching a report takes as long as its provider does. */
const CHECK_TIMEOUT_MS = 180_000;

/** The compared days of a channel's provider reports. */
export const channelReportQuery = (id: number) =>
  queryOptions({
    queryKey: ["channel-report", id],
    queryFn: ({ signal }) => api.get(`/api/channel/${id}/report`, { schema: ChannelReport, signal }),
  });

/** Sets a channel's report key; an empty one removes it. */
export const setReportKey = (id: number, key: string) =>
  api.put(`/api/channel/${id}/report_key`, { body: { key }, schema: z.string() });

/** Fetches and compares a day now. Throws report_failed with the reason. */
export const checkReportDay = (id: number, day: number) =>
  api.post(`/api/channel/${id}/report`, { body: { day }, schema: ReportDay, timeoutMs: CHECK_TIMEOUT_MS });
