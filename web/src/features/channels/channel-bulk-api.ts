import { queryOptions } from "@tanstack/react-query";
import { api, callRaw } from "../../lib/api-client.ts";
import { isAnything, isFlag, isListOf, isNumber, isObjectOf } from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";
import { isChannelBalanceResult, isChannelHealthDetail, isChannelRun } from "../../domain/channels/channel-schemas.ts";

const BULK_TIMEOUT_MS = 60_000;
const RUN_LOOK_MS = 1_500;
const HEALTH_LOOK_MS = 5_000;

/** What is set for all channels of a tag; what is left out or empty stays, but an empty `new_tag` dissolves the tag. */
export type TagEdit = {
  readonly tag: string;
  readonly new_tag?: string;
  readonly priority?: number;
  readonly weight?: number;
  readonly model_mapping?: string;
  readonly models?: string;
  readonly groups?: string;
};

const counted = { fits: isNumber, timeoutMs: BULK_TIMEOUT_MS };

// Each answers how many channels it was about.
export const deleteChannels = (ids: readonly number[]) => api.post("/api/channel/batch", { body: { ids }, ...counted });
export const deleteDisabledChannels = () => api.delete("/api/channel/disabled", counted);
export const tagChannels = (ids: readonly number[], tag: string | undefined) =>
  api.post("/api/channel/batch/tag", { body: { ids, tag: tag ?? null }, ...counted });
export const editTag = (body: TagEdit) => api.put("/api/channel/tag", { body, ...counted });
export const switchTag = (tag: string, on: boolean) =>
  api.post(on ? "/api/channel/tag/enabled" : "/api/channel/tag/disabled", { body: { tag }, ...counted });
export const fixChannels = () => api.post("/api/channel/fix", { body: {}, ...counted });
export const reenableKeys = (id: number) => api.post(`/api/channel/${id}/keys/revive`, { body: {}, ...counted });

/** Asks upstream what a channel's account holds, in the provider's currency. */
export const updateBalance = async (id: number): Promise<number> =>
  (
    await callRaw("GET", `/api/channel/update_balance/${id}`, {
      fits: isChannelBalanceResult,
      timeoutMs: BULK_TIMEOUT_MS,
    })
  ).balance;

/** Work over all channels that the server does by itself once it was begun. */
export type RunKind = "test" | "balance";

/** How work over all channels goes; looks again and again while some is under way. */
export const runsQuery = queryOptions({
  queryKey: ["channel-runs"],
  queryFn: ({ signal }) => api.get("/api/channel/runs", { fits: isListOf(isChannelRun), signal }),
  refetchInterval: ({ state }) => (state.data?.some(({ running }) => running) === true ? RUN_LOOK_MS : false),
});

const lookAtRuns = (): Promise<void> => queryClient.invalidateQueries({ queryKey: runsQuery.queryKey });

/** Begins a test of all channels; throws when one is under way. */
export async function startTests(): Promise<void> {
  await api.get("/api/channel/test", { fits: isAnything });
  await lookAtRuns();
}

/** Begins to ask for the balances of all enabled channels; the answer only comes when that is done or takes long. */
export async function startBalanceUpdates(): Promise<void> {
  const asked = api.get("/api/channel/update_balance", {
    fits: isObjectOf<{ done: boolean }>({ done: isFlag }),
    timeoutMs: BULK_TIMEOUT_MS,
  });
  const soon = setTimeout(() => void lookAtRuns(), RUN_LOOK_MS / 3);
  await asked.finally(() => clearTimeout(soon));
  await lookAtRuns();
}

/** Ends work over all channels. */
export async function cancelRun(kind: RunKind): Promise<void> {
  await api.delete(`/api/channel/runs/${kind}`, { fits: isFlag });
  await lookAtRuns();
}

/** How a channel's calls and keys do; looks again every few seconds while the page is seen. */
export const channelHealthQuery = (id: number) =>
  queryOptions({
    queryKey: ["channel-health", id],
    queryFn: ({ signal }) => api.get(`/api/channel/${id}/health`, { fits: isChannelHealthDetail, signal }),
    refetchInterval: HEALTH_LOOK_MS,
  });
