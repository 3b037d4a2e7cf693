import { pageQuery } from "@turnpike/contract/api/common";
import { DrawingTaskFilter, GenericTaskFilter } from "@turnpike/contract/api/task";
import { Router } from "express";
import { okList } from "../http/api-response.ts";
import { type ImageRule, toDrawingTask, toGenericTask, omitChannel } from "../presenters/task.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const SECOND_MS = 1000;

const DrawingQuery = DrawingTaskFilter.transform(({ channel_id, mj_id, start_timestamp, end_timestamp, paged }) => ({
  paged,
  platform: "mj",
  channelId: channel_id,
  upstreamId: mj_id,
  action: "",
  status: "",
  startMs: start_timestamp,
  endMs: end_timestamp,
})).and(pageQuery(0));

const GenericQuery = GenericTaskFilter.transform(
  ({ channel_id, task_id, start_timestamp, end_timestamp, ...rest }) => ({
    ...rest,
    // The one kind there is beside drawing.
    platform: rest.platform === "" ? "suno" : rest.platform,
    channelId: channel_id,
    upstreamId: task_id,
    startMs: start_timestamp * SECOND_MS,
    // The whole of the last second.
    endMs: end_timestamp > 0 ? end_timestamp * SECOND_MS + SECOND_MS - 1 : 0,
  }),
).and(pageQuery(0));

/** Image tasks. Mounted at /api/mj. */
export function drawingRoutes({ services: { tasks }, route, options }: RoutesDeps): Router {
  const imageRule = (): ImageRule => {
    const { flag, text } = options.known();
    return { isForwarded: flag("MjForwardUrlEnabled"), site: text("ServerAddress") };
  };
  return Router()
    .get(
      "/",
      route({ access: "admin", query: DrawingQuery }, async ({ query }, { call }) => {
        const { items, total } = await tasks.listTasks({ ...query, userId: 0 }, call);
        const rule = imageRule();
        return okList(query, { items: items.map((task) => toDrawingTask(task, rule)), total });
      }),
    )
    .get(
      "/self",
      route({ access: "user", query: DrawingQuery }, async ({ query }, { caller, call }) => {
        const own = { ...query, userId: caller.user.id, channelId: 0 };
        const { items, total } = await tasks.listTasks(own, call);
        const rule = imageRule();
        return okList(query, { items: items.map((task) => omitChannel(toDrawingTask(task, rule))), total });
      }),
    );
}

/** Tasks of other kinds. Mounted at /api/task. */
export function taskRoutes({ services: { tasks }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route({ access: "admin", query: GenericQuery }, async ({ query }, { call }) => {
        const { items, total } = await tasks.listTasks({ ...query, userId: 0 }, call);
        return okList(query, { items: items.map(toGenericTask), total });
      }),
    )
    .get(
      "/self",
      route({ access: "user", query: GenericQuery }, async ({ query }, { caller, call }) => {
        const own = { ...query, userId: caller.user.id, channelId: 0 };
        const { items, total } = await tasks.listTasks(own, call);
        return okList(query, { items: items.map((task) => omitChannel(toGenericTask(task))), total });
      }),
    );
}
