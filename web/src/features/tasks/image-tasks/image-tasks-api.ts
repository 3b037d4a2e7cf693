import { ImageTaskPage } from "@turnpike/contract/api/task";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api/api-client.ts";
import { dayEndSeconds, dayStartSeconds } from "../../../lib/text/day-bounds.ts";
import type { TaskSearch } from "../task-filters.tsx";
import { isUnfinished, UNFINISHED_POLL_MS } from "../tasks-api.ts";

const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;
/** Includes the whole last second of a day. */
const endMilliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000 + 999;

type ImageTaskList = TaskSearch & { readonly all: boolean; readonly page: number; readonly pageSize: number };

/** One page of image tasks, of all users or of the user, newest first; refetched while some of them run. */
export const imageTasksQuery = ({ all, page, pageSize, id, channel, from, to }: ImageTaskList) =>
  queryOptions({
    queryKey: ["image-tasks", all, page, pageSize, id, channel, from, to],
    queryFn: async ({ signal }) => {
      const found = await api.get(all ? "/api/mj/" : "/api/mj/self", {
        query: {
          paged: true,
          // The API counts pages from 0 and time in milliseconds.
          p: page - 1,
          page_size: pageSize,
          mj_id: id,
          channel_id: all ? channel : undefined,
          start_timestamp: milliseconds(dayStartSeconds(from)),
          end_timestamp: endMilliseconds(dayEndSeconds(to)),
        },
        schema: ImageTaskPage,
        signal,
      });
      return { ...found, page };
    },
    refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? UNFINISHED_POLL_MS : false),
    placeholderData: keepPreviousData,
  });
