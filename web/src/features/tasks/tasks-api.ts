import { type GenericTask, GenericTaskPage } from "@turnpike/contract/api/task";
import { queryOptions } from "@tanstack/react-query";
import { api } from "../../lib/api/api-client.ts";
import { createTaskListQuery, type TaskListPart } from "./task-list-query.ts";

/** One page of music and other tasks. */
export const tasksQuery = (part: TaskListPart) =>
  queryOptions(
    createTaskListQuery<GenericTask>("tasks", part, (query, signal) =>
      api.get(part.all ? "/api/task/" : "/api/task/self", {
        query: { ...query, task_id: part.id },
        schema: GenericTaskPage,
        signal,
      }),
    ),
  );
