import type { ChannelCreateBody, ChannelUpdateBody, FetchModelsBody } from "@turnpike/contract/api/channel";
import { queryOptions } from "@tanstack/react-query";
import { isNameList, isPageOf } from "../../lib/api-schemas.ts";
import { api, callRaw } from "../../lib/api-client.ts";
import { ApiError } from "../../lib/api-error.ts";
import { isAnything, isListOf, isMapOf, isObjectOf, isText } from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";
import { isChannel, isChannelTestResult } from "./channel-schemas.ts";

type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly keyword?: string | undefined;
  readonly model?: string | undefined;
  readonly group?: string | undefined;
  readonly idSort?: boolean;
  /** Pages over tags; the items are all channels of the page's tags, the total is of tags. */
  readonly byTag?: boolean;
};

// An upstream may take its time over its first answer.
const UPSTREAM_TIMEOUT_MS = 90_000;
const isChannelPage = isPageOf(isChannel);
const isModelsByChannelType = isMapOf(isNameList);

/** One page of channels; pages count from 1 here and from 0 on the wire. */
export const channelsQuery = (query: ListQuery) => {
  const { page, pageSize, keyword = "", model = "", group = "", idSort = false, byTag = false } = query;
  const sorting = { id_sort: idSort, tag_mode: byTag };
  return queryOptions({
    queryKey: ["channels", "list", page, pageSize, keyword, model, group, idSort, byTag],
    queryFn: ({ signal }) =>
      api.get(keyword === "" && model === "" && group === "" ? "/api/channel/" : "/api/channel/search", {
        query: { p: page - 1, page_size: pageSize, keyword, model, group, ...sorting, paged: true },
        fits: isChannelPage,
        signal,
      }),
    // Rows by tag are no stand-in for rows by channel.
    placeholderData: (previous, last) => (last?.queryKey.at(-1) === byTag ? previous : undefined),
  });
};

const TAG_CHANNELS_MAX = 100;

/** The channels of a tag, the first hundred by priority; fails when there is none. */
export const channelsOfTagQuery = (tag: string) =>
  queryOptions({
    queryKey: ["channels", "of-tag", tag],
    queryFn: async ({ signal }) => {
      const query = { p: 0, page_size: TAG_CHANNELS_MAX, tag, paged: true };
      const { items } = await api.get("/api/channel/", { query, fits: isChannelPage, signal });
      if (items.length > 0) return items;
      throw new ApiError("refused", "", { code: "channel_tag_not_found", params: { tag } });
    },
  });

/** The first few channels whose name or id is `wanted`. */
export const findChannelsQuery = (wanted: string) => channelsQuery({ page: 1, pageSize: 10, keyword: wanted });

export const channelQuery = (id: number) =>
  queryOptions({
    queryKey: ["channels", "one", id],
    queryFn: ({ signal }) => api.get(`/api/channel/${id}`, { fits: isChannel, signal }),
  });

/** The models that a channel of each type starts with. */
export const defaultModelsQuery = queryOptions({
  queryKey: ["default-models"],
  queryFn: ({ signal }) => api.get("/api/models", { fits: isModelsByChannelType, signal }),
  staleTime: Infinity,
});

/** Every model this version knows. */
export const allModelsQuery = queryOptions({
  queryKey: ["all-models"],
  queryFn: async ({ signal }) =>
    (await api.get("/api/channel/models", { fits: isListOf(isObjectOf<{ id: string }>({ id: isText })), signal })).map(
      ({ id }) => id,
    ),
  staleTime: Infinity,
});

/** Everything that shows channels, or what they make callable, is read again. */
export async function refreshChannels(): Promise<void> {
  await Promise.all(
    [["channels"], ["user-models"], ["pricing"]].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

/** Adds a channel; with `copy_from` an empty key takes the keys of that channel. */
export const createChannel = (body: ChannelCreateBody & { readonly copy_from?: number }) =>
  api.post("/api/channel/", { body, fits: isAnything });
export const updateChannel = (body: ChannelUpdateBody) => api.put("/api/channel/", { body, fits: isAnything });
export const deleteChannel = (id: number) => api.delete(`/api/channel/${id}`, { fits: isAnything });

/** Sends one small call to the upstream; answers the seconds it took, throws with the upstream's reason. */
export const testChannel = async (id: number, model?: string): Promise<number> =>
  (
    await callRaw("GET", `/api/channel/test/${id}`, {
      query: { model },
      fits: isChannelTestResult,
      timeoutMs: UPSTREAM_TIMEOUT_MS,
    })
  ).time;

/** Asks the upstream of a stored channel which models it has. */
export const fetchChannelModels = (id: number) =>
  api.get(`/api/channel/fetch_models/${id}`, { fits: isNameList, timeoutMs: UPSTREAM_TIMEOUT_MS });

/** Asks an upstream that is not stored yet which models it has. */
export const fetchModels = (body: FetchModelsBody) =>
  api.post("/api/channel/fetch_models", { body, fits: isNameList, timeoutMs: UPSTREAM_TIMEOUT_MS });
