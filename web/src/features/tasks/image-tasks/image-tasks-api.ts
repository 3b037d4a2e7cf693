import type { DrawingTask } from "@turnpike/contract/api/task";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isPageOf } from "../../../lib/api-schemas.ts";
import { api } from "../../../lib/api-client.ts";
import { isNumber, isObjectOf, isText } from "../../../lib/check.ts";
import { dayEndSeconds, dayStartSeconds } from "../../../lib/day-bounds.ts";
import type { TaskSearch } from "../task-filters.tsx";
import { isUnfinished, UNFINISHED_POLL_MS } from "../tasks-api.ts";

const isImageTask = isObjectOf<DrawingTask>({
  id: isNumber,
  created_at: isNumber,
  code: isNumber,
  user_id: isNumber,
  username: isText,
  channel_id: isNumber,
  action: isText,
  mj_id: isText,
  prompt: isText,
  prompt_en: isText,
  description: isText,
  state: isText,
  submit_time: isNumber,
  start_time: isNumber,
  finish_time: isNumber,
  image_url: isText,
  status: isText,
  progress: isText,
  fail_reason: isText,
  quota: isNumber,
  refunded_quota: isNumber,
  buttons: isText,
  properties: isText,
});
const isImageTaskPage = isPageOf(isImageTask);

const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;
/** The whole of the last second of a day. */
const endMilliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000 + 999;

type ImageTaskList = TaskSearch & { readonly all: boolean; readonly page: number; readonly pageSize: number };

/** One page of image tasks, everybody's or one's own, newest first; fetched again while some of them run. */
export const imageTasksQuery = ({ all, page, pageSize, id, channel, from, to }: ImageTaskList) =>
  queryOptions({
    queryKey: ["image-tasks", all, page, pageSize, id, channel, from, to],
    queryFn: async ({ signal }) => {
      const found = await api.get(all ? "/api/mj/" : "/api/mj/self", {
        query: {
          paged: true,
          // The call counts pages from 0 and time in milliseconds.
          p: page - 1,
          page_size: pageSize,
          mj_id: id,
          channel_id: all ? channel : undefined,
          start_timestamp: milliseconds(dayStartSeconds(from)),
          end_timestamp: endMilliseconds(dayEndSeconds(to)),
        },
        fits: isImageTaskPage,
        signal,
      });
      return { ...found, page };
    },
    refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? UNFINISHED_POLL_MS : false),
    placeholderData: keepPreviousData,
  });
