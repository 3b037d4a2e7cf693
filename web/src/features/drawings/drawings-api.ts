import type { DrawingTask } from "@turnpike/contract/api/task";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { isPageOf } from "../../lib/answers.ts";
import { api } from "../../lib/api-client.ts";
import { isNumber, isObjectOf, isText } from "../../lib/check.ts";
import { dayEndSeconds, dayStartSeconds } from "../../lib/days.ts";
import type { TaskSearch } from "../tasks/task-filters.tsx";
import { isUnfinished, UNFINISHED_POLL_MS } from "../tasks/tasks-api.ts";

const isDrawing = isObjectOf<DrawingTask>({
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
const isDrawingPage = isPageOf(isDrawing);

const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;
/** The whole of the last second of a day. */
const endMilliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000 + 999;

type DrawingList = TaskSearch & { readonly all: boolean; readonly page: number; readonly pageSize: number };

/** One page of drawings, everybody's or one's own, newest first; fetched again while some of them run. */
export const drawingsQuery = ({ all, page, pageSize, id, channel, from, to }: DrawingList) =>
  queryOptions({
    queryKey: ["drawings", all, page, pageSize, id, channel, from, to],
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
        fits: isDrawingPage,
        signal,
      });
      return { ...found, page };
    },
    refetchInterval: ({ state }) => (state.data?.items.some(isUnfinished) ? UNFINISHED_POLL_MS : false),
    placeholderData: keepPreviousData,
  });
