import { keepPreviousData, type QueryFunctionContext } from "@tanstack/react-query";
import { dayEndSeconds, dayStartSeconds } from "../../lib/text/day-bounds.ts";
import type { Page } from "@turnpike/contract/api/common";
import type { TaskSearch } from "./task-filters.tsx";

/** How often a list with unfinished tasks is fetched again. */
const UNFINISHED_POLL_MS = 5_000;
const isUnfinished = ({ status }: { readonly status: string }): boolean => status !== "SUCCESS" && status !== "FAILURE";

/** One page of a list of tasks, of all users or of the user. */
export type TaskListPart = TaskSearch & { readonly all: boolean; readonly page: number; readonly pageSize: number };

/** The query of the API for a page; times in seconds, the end included. */
const toApiQuery = ({ all, page, pageSize, channel, from, to }: TaskListPart) => ({
  paged: true,
  // The API counts pages from 0.
  p: page - 1,
  page_size: pageSize,
  channel_id: all ? channel : undefined,
  start_timestamp: dayStartSeconds(from),
  end_timestamp: dayEndSeconds(to),
});
export type TaskApiQuery = ReturnType<typeof toApiQuery>;

/** The query of a page of tasks, newest first; refetched while some of them run. */
export function createTaskListQuery<Task extends { readonly status: string }>(
  name: string,
  part: TaskListPart,
  fetchPage: (query: TaskApiQuery, signal: AbortSignal) => Promise<Page<Task>>,
) {
  const { all, page, pageSize, id, channel, from, to } = part;
  return {
    queryKey: [name, all, page, pageSize, id, channel, from, to],
    queryFn: async ({ signal }: QueryFunctionContext): Promise<Page<Task>> => ({
      ...(await fetchPage(toApiQuery(part), signal)),
      page,
    }),
    refetchInterval: ({ state }: { readonly state: { readonly data: Page<Task> | undefined } }) =>
      state.data?.items.some(isUnfinished) ? UNFINISHED_POLL_MS : false,
    placeholderData: keepPreviousData,
  };
}
