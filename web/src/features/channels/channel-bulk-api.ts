import { ChannelBalanceResult, ChannelBalancesResult, ChannelRun } from "@turnpike/contract/api/channels/channel-runs";
import { ChannelHealthDetail } from "@turnpike/contract/api/channels/channel-health";
import { queryOptions } from "@tanstack/react-query";
import { z } from "zod/mini";
import { api, callRaw } from "../../lib/api/api-client.ts";
import { queryClient } from "../../lib/api/query-client.ts";

const BULK_TIMEOUT_MS = 60_000;
const RUN_LOOK_MS = 1_500;
const HEALTH_LOOK_MS = 5_000;

/**
 * Changes for all channels of a tag; absent and empty fields stay unchanged, except that an empty `new_tag` removes the
 * tag from its channels.
 */
export type TagEdit = {
  readonly tag: string;
  readonly new_tag?: string;
  readonly priority?: number;
  readonly weight?: number;
  readonly model_mapping?: string;
  readonly models?: string;
  readonly groups?: string;
};

const counted = { schema: z.number(), timeoutMs: BULK_TIMEOUT_MS };

// Each returns the number of changed channels.
export const deleteChannels = (ids: readonly number[]) => api.post("/api/channel/batch", { body: { ids }, ...counted });
export const deleteDisabledChannels = () => api.delete("/api/channel/disabled", counted);
export const tagChannels = (ids: readonly number[], tag: string | undefined) =>
  api.post("/api/channel/batch/tag", { body: { ids, tag: tag ?? null }, ...counted });
export const editTag = (body: TagEdit) => api.put("/api/channel/tag", { body, ...counted });
export const switchTag = (tag: string, on: boolean) =>
  api.post(on ? "/api/channel/tag/enabled" : "/api/channel/tag/disabled", { body: { tag }, ...counted });
export const fixChannels = () => api.post("/api/channel/fix", { body: {}, ...counted });
export const reenableKeys = (id: number) => api.post(`/api/channel/${id}/keys/revive`, { body: {}, ...counted });

/** Fetches the upstream account's balance, in the provider's currency. */
export const updateBalance = async (id: number): Promise<number> =>
  (
    await callRaw("GET", `/api/channel/update_balance/${id}`, {
      schema: ChannelBalanceResult,
      timeoutMs: BULK_TIMEOUT_MS,
    })
  ).balance;

/** A run over all channels that the server continues by itself. */
export type RunKind = "test" | "balance";

/** The state of runs over all channels; polled while one is in progress. */
export const runsQuery = queryOptions({
  queryKey: ["channel-runs"],
  queryFn: ({ signal }) => api.get("/api/channel/runs", { schema: z.array(ChannelRun), signal }),
  refetchInterval: ({ state }) => (state.data?.some(({ running }) => running) === true ? RUN_LOOK_MS : false),
});

const lookAtRuns = (): Promise<void> => queryClient.invalidateQueries({ queryKey: runsQuery.queryKey });

/** Starts a test of all channels; throws when one is running. */
export async function startTests(): Promise<void> {
  await api.get("/api/channel/test");
  await lookAtRuns();
}

/** Starts to fetch the balances of all enabled channels; the response arrives when that is done or takes long. */
export async function startBalanceUpdates(): Promise<void> {
  const requested = api.get("/api/channel/update_balance", {
    schema: ChannelBalancesResult,
    timeoutMs: BULK_TIMEOUT_MS,
  });
  const soon = setTimeout(() => void lookAtRuns(), RUN_LOOK_MS / 3);
  await requested.finally(() => clearTimeout(soon));
  await lookAtRuns();
}

/** Stops a run over all channels. */
export async function cancelRun(kind: RunKind): Promise<void> {
  await api.delete(`/api/channel/runs/${kind}`, { schema: z.boolean() });
  await lookAtRuns();
}

/** The health of a channel's calls and keys; polled every few seconds while the page is visible. */
export const channelHealthQuery = (id: number) =>
  queryOptions({
    queryKey: ["channel-health", id],
    queryFn: ({ signal }) => api.get(`/api/channel/${id}/health`, { schema: ChannelHealthDetail, signal }),
    refetchInterval: HEALTH_LOOK_MS,
  });
