import { type ImageTask, ImageTaskPage } from "@turnpike/contract/api/task";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../../lib/api/api-client.ts";
import { createTaskListQuery, type TaskListPart } from "../task-list-query.ts";

const milliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000;
/** Includes the whole last second of a day. */
const endMilliseconds = (seconds: number | undefined): number | undefined =>
  seconds === undefined ? undefined : seconds * 1000 + 999;

/** One page of image tasks, whose API has times in milliseconds. */
export const imageTasksQuery = (part: TaskListPart) =>
  queryOptions(
    createTaskListQuery<ImageTask>("image-tasks", part, (query, signal) =>
      api.get(part.all ? "/api/mj/" : "/api/mj/self", {
        query: {
          ...query,
          mj_id: part.id,
          start_timestamp: milliseconds(query.start_timestamp),
          end_timestamp: endMilliseconds(query.end_timestamp),
        },
        schema: ImageTaskPage,
        signal,
      }),
    ),
  );
