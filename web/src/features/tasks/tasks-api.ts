import type { GenericTask } from "@turnpike/contract/api/task";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isPageOf } from "../../lib/api-schemas.ts";
import { api } from "../../lib/api-client.ts";
import { isAnything, isNumber, isObjectOf, isText } from "../../lib/check.ts";
import { dayEndSeconds, dayStartSeconds } from "../../lib/day-bounds.ts";
import type { TaskSearch } from "./task-filters.tsx";

const isTask = isObjectOf<GenericTask>({
  id: isNumber,
  created_at: isNumber,
  updated_at: isNumber,
  task_id: isText,
  platform: isText,
  user_id: isNumber,
  username: isText,
  channel_id: isNumber,
  quota: isNumber,
  refunded_quota: isNumber,
  action: isText,
  status: isText,
  fail_reason: isText,
  submit_time: isNumber,
  start_time: isNumber,
  finish_time: isNumber,
  progress: isText,
  properties: isObjectOf<GenericTask["properties"]>({ input: isText }),
  data: isAnything,
});
const isTaskPage = isPageOf(isTask);

/** How often a list with unfinished tasks is fetched again. */
export const UNFINISHED_POLL_MS = 5_000;
export const isUnfinished = ({ status }: { readonly status: string }): boolean =>
  status !== "SUCCESS" && status !== "FAILURE";

type TaskList = TaskSearch & { readonly all: boolean; readonly page: number; readonly pageSize: number };

/** One page of tasks, everybody's or one's own, newest first; fetched again while some of them run. */
export const tasksQuery = ({ all, page, pageSize, id, channel, from, to }: TaskList) =>
  queryOptions({
    queryKey: ["tasks", all, page, pageSize, id, channel, from, to],
    queryFn: async ({ signal }) => {
      const found = await api.get(all ? "/api/task/" : "/api/task/self", {
        query: {
          paged: true,
          // The call counts pages from 0.
          p: page - 1,
          page_size: pageSize,
          task_id: id,
          channel_id: all ? channel : undefined,
          start_timestamp: dayStartSeconds(from),
          end_timestamp: dayEndSeconds(to),
        },
        fits: isTaskPage,
        signal,
      });
      return { ...found, page };
    },
    refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? UNFINISHED_POLL_MS : false),
    placeholderData: keepPreviousData,
  });
