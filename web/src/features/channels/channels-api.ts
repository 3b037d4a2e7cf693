import type { ChannelCreateBody, ChannelUpdateBody, FetchModelsBody } from "@turnpike/contract/api/channel";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isNameList, isPageOf } from "../../lib/answers.ts";
import { api, callRaw } from "../../lib/api-client.ts";
import { isAnything, isMapOf } from "../../lib/check.ts";
import { queryClient } from "../../lib/query-client.ts";
import { isChannel, isChannelTestResult } from "./channel-answers.ts";

type ListQuery = {
  readonly page: number;
  readonly pageSize: number;
  readonly keyword?: string | undefined;
  readonly model?: string | undefined;
  readonly group?: string | undefined;
  readonly idSort?: boolean;
};

// An upstream may take its time over its first answer.
const UPSTREAM_TIMEOUT_MS = 90_000;
const isChannelPage = isPageOf(isChannel);
const isModelsByChannelType = isMapOf(isNameList);

/** One page of channels; pages count from 1 here and from 0 on the wire. */
export const channelsQuery = ({ page, pageSize, keyword = "", model = "", group = "", idSort = false }: ListQuery) =>
  queryOptions({
    queryKey: ["channels", "list", page, pageSize, keyword, model, group, idSort],
    queryFn: ({ signal }) =>
      api.get(keyword === "" && model === "" && group === "" ? "/api/channel/" : "/api/channel/search", {
        query: { p: page - 1, page_size: pageSize, keyword, model, group, id_sort: idSort, paged: true },
        fits: isChannelPage,
        signal,
      }),
    placeholderData: keepPreviousData,
  });

/** The first few channels whose name or id is `wanted`. */
export const findChannelsQuery = (wanted: string) => channelsQuery({ page: 1, pageSize: 10, keyword: wanted });

export const channelQuery = (id: number) =>
  queryOptions({
    queryKey: ["channels", "one", id],
    queryFn: ({ signal }) => api.get(`/api/channel/${id}`, { fits: isChannel, signal }),
  });

/** The groups that have a ratio. */
export const groupNamesQuery = queryOptions({
  queryKey: ["group-names"],
  queryFn: ({ signal }) => api.get("/api/group/", { fits: isNameList, signal }),
  staleTime: 60_000,
});

/** The models that a channel of each type starts with. */
export const defaultModelsQuery = queryOptions({
  queryKey: ["default-models"],
  queryFn: ({ signal }) => api.get("/api/models", { fits: isModelsByChannelType, signal }),
  staleTime: Infinity,
});

/** Everything that shows channels, or what they make callable, is read again. */
export async function refreshChannels(): Promise<void> {
  await Promise.all(
    [["channels"], ["user-models"], ["pricing"]].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
  );
}

export const createChannel = (body: ChannelCreateBody) => api.post("/api/channel/", { body, fits: isAnything });
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
export const fetchModelsOf = (id: number) =>
  api.get(`/api/channel/fetch_models/${id}`, { fits: isNameList, timeoutMs: UPSTREAM_TIMEOUT_MS });

/** Asks an upstream that is not stored yet which models it has. */
export const fetchModels = (body: FetchModelsBody) =>
  api.post("/api/channel/fetch_models", { body, fits: isNameList, timeoutMs: UPSTREAM_TIMEOUT_MS });
