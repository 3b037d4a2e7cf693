import { NameList } from "@turnpike/contract/api/user";
import {
  Channel,
  type ChannelCreateBody,
  ChannelPage,
  type ChannelUpdateBody,
  type FetchModelsBody,
  KnownModels,
  ModelsByChannelType,
} from "@turnpike/contract/api/channels/channel";
import { ChannelTestResult } from "@turnpike/contract/api/channels/channel-runs";
import { z } from "zod/mini";
import { queryOptions } from "@tanstack/react-query";
import i18next from "i18next";
import { api, callRaw } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { queryClient } from "../../lib/api/query-client.ts";

type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly keyword?: string | undefined;
  readonly model?: string | undefined;
  readonly group?: string | undefined;
  readonly idSort?: boolean;
  /** Pages of tags; the items are all channels of the page's tags, the total counts tags. */
  readonly byTag?: boolean;
};

// An upstream's first response may take time.
const UPSTREAM_TIMEOUT_MS = 90_000;

/** Reads one page of channels; pages count from 1 here and from 0 on the wire. */
export function readChannels(query: ListQuery, signal?: AbortSignal) {
  const { page, pageSize, keyword = "", model = "", group = "", idSort = false, byTag = false } = query;
  const sorting = { id_sort: idSort, tag_mode: byTag };
  return api.get(keyword === "" && model === "" && group === "" ? "/api/channel/" : "/api/channel/search", {
    query: { p: page - 1, page_size: pageSize, keyword, model, group, ...sorting, paged: true },
    schema: ChannelPage,
    ...(signal ? { signal } : {}),
  });
}

export const channelsQuery = (query: ListQuery) => {
  const { page, pageSize, keyword = "", model = "", group = "", idSort = false, byTag = false } = query;
  return queryOptions({
    queryKey: ["channels", "list", page, pageSize, keyword, model, group, idSort, byTag],
    queryFn: ({ signal }) => readChannels(query, signal),
    // Rows by tag must not be shown as placeholder for rows by channel.
    placeholderData: (previous, last) => (last?.queryKey.at(-1) === byTag ? previous : undefined),
  });
};

const TAG_CHANNELS_MAX = 100;

/** The channels of a tag, the first 100 by priority; fails when there is none. */
export const taggedChannelsQuery = (tag: string) =>
  queryOptions({
    queryKey: ["channels", "of-tag", tag],
    queryFn: async ({ signal }) => {
      const query = { p: 0, page_size: TAG_CHANNELS_MAX, tag, paged: true };
      const { items } = await api.get("/api/channel/", { query, schema: ChannelPage, signal });
      if (items.length > 0) return items;
      throw new ApiError("refused", i18next.t("标签 {{tag}} 下没有渠道", { tag }));
    },
  });

/** The first few channels whose name or id matches `search`. */
export const findChannelsQuery = (search: string) => channelsQuery({ page: 1, pageSize: 10, keyword: search });

export const channelQuery = (id: number) =>
  queryOptions({
    queryKey: ["channels", "one", id],
    queryFn: ({ signal }) => api.get(`/api/channel/${id}`, { schema: Channel, signal }),
  });

/** Channels that the system disabled or skips, that fail often, or whose last test failed. */
export const failingChannelsQuery = queryOptions({
  queryKey: ["channels", "failing"],
  queryFn: ({ signal }) => api.get("/api/channel/failing", { schema: z.array(Channel), signal }),
  refetchInterval: 30_000,
});

/** The models of enabled channels that have no price: callers do not see them. */
export const unpricedModelsQuery = queryOptions({
  queryKey: ["channels", "unpriced"],
  queryFn: ({ signal }) => api.get("/api/channel/models_unpriced", { schema: NameList, signal }),
});

/** The default models of each channel type. */
export const defaultModelsQuery = queryOptions({
  queryKey: ["default-models"],
  queryFn: ({ signal }) => api.get("/api/models", { schema: ModelsByChannelType, signal }),
  staleTime: Infinity,
});

/** Every model that this version knows. */
export const allModelsQuery = queryOptions({
  queryKey: ["all-models"],
  queryFn: async ({ signal }) =>
    (await api.get("/api/channel/models", { schema: KnownModels, signal })).map(({ id }) => id),
  staleTime: Infinity,
});

/** Refetches everything that shows channels, or what they make callable. */
export async function refreshChannels(): Promise<void> {
  await Promise.all(
    [["channels"], ["user-models"], ["pricing"]].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

/** Adds a channel; with `copy_from`, an empty key copies the keys of that channel. */
export const createChannel = (body: ChannelCreateBody & { readonly copy_from?: number }) =>
  api.post("/api/channel/", { body, schema: Channel });
export const updateChannel = (body: ChannelUpdateBody) => api.put("/api/channel/", { body, schema: Channel });
export const deleteChannel = (id: number) => api.delete(`/api/channel/${id}`);

/** Sends one small call to the upstream; returns its duration in seconds, throws with the upstream's reason. */
export const testChannel = async (id: number, model?: string): Promise<number> =>
  (
    await callRaw("GET", `/api/channel/test/${id}`, {
      query: { model },
      schema: ChannelTestResult,
      timeoutMs: UPSTREAM_TIMEOUT_MS,
    })
  ).time;

/** Fetches the model list of a stored channel's upstream. */
export const fetchChannelModels = (id: number) =>
  api.get(`/api/channel/fetch_models/${id}`, { schema: NameList, timeoutMs: UPSTREAM_TIMEOUT_MS });

/** Fetches the model list of an upstream that is not stored yet. */
export const fetchModels = (body: FetchModelsBody) =>
  api.post("/api/channel/fetch_models", { body, schema: NameList, timeoutMs: UPSTREAM_TIMEOUT_MS });
