import { GenericTaskPage } from "@turnpike/contract/api/task";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";
import { dayEndSeconds, dayStartSeconds } from "../../lib/text/day-bounds.ts";
import type { TaskSearch } from "./task-filters.tsx";

/** How often a list with unfinished tasks is fetched again. */
export const UNFINISHED_POLL_MS = 5_000;
export const isUnfinished = ({ status }: { readonly status: string }): boolean =>
  status !== "SUCCESS" && status !== "FAILURE";

type TaskList = TaskSearch & { readonly all: boolean; readonly page: number; readonly pageSize: number };

/** One page of tasks, of all users or of the user, newest first; refetched while some of them run. */
export const tasksQuery = ({ all, page, pageSize, id, channel, from, to }: TaskList) =>
  queryOptions({
    queryKey: ["tasks", all, page, pageSize, id, channel, from, to],
    queryFn: async ({ signal }) => {
      const found = await api.get(all ? "/api/task/" : "/api/task/self", {
        query: {
          paged: true,
          // The API counts pages from 0.
          p: page - 1,
          page_size: pageSize,
          task_id: id,
          channel_id: all ? channel : undefined,
          start_timestamp: dayStartSeconds(from),
          end_timestamp: dayEndSeconds(to),
        },
        schema: GenericTaskPage,
        signal,
      });
      return { ...found, page };
    },
    refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? UNFINISHED_POLL_MS : false),
    placeholderData: keepPreviousData,
  });
