import { pageQuery, listSchema, successSchema } from "@turnpike/contract/api/common";
import { ImageTaskFilter, GenericTaskFilter, GenericTaskPage, ImageTaskPage } from "@turnpike/contract/api/task";
import { Router } from "express";
import { okList } from "../http/api-response.ts";
import { type ImageRule, toImageTask, toGenericTask, omitChannel } from "../presenters/task.ts";
import type { RoutesDeps } from "./routes-deps.ts";
import { z } from "zod/mini";

const SECOND_MS = 1000;
/** The last millisecond that a Date can be; no task is later, and a service reads no larger number exactly. */
const LAST_MS = 8_640_000_000_000_000;

const toMs = (seconds: number): number => Math.max(-LAST_MS, Math.min(seconds * SECOND_MS, LAST_MS));

const ImageTaskQuery = z.intersection(
  z.pipe(
    ImageTaskFilter,
    z.transform(({ channel_id, mj_id, start_timestamp, end_timestamp, paged }) => ({
      paged,
      platform: "mj",
      channelId: channel_id,
      upstreamId: mj_id,
      action: "",
      status: "",
      startMs: start_timestamp,
      endMs: end_timestamp,
    })),
  ),
  pageQuery(0),
);

const GenericQuery = z.intersection(
  z.pipe(
    GenericTaskFilter,
    z.transform(({ channel_id, task_id, start_timestamp, end_timestamp, ...rest }) => ({
      ...rest,
      // The only kind besides image tasks.
      platform: rest.platform === "" ? "suno" : rest.platform,
      channelId: channel_id,
      upstreamId: task_id,
      startMs: toMs(start_timestamp),
      // Includes the whole last second.
      endMs: end_timestamp > 0 ? toMs(end_timestamp) + SECOND_MS - 1 : 0,
    })),
  ),
  pageQuery(0),
);

const SPECS = {
  listImageTasks: {
    access: "admin",
    summary: "List image tasks",
    returns: successSchema(listSchema(ImageTaskPage)),
    query: ImageTaskQuery,
  },
  listOwnImageTasks: {
    access: "user",
    summary: "List the own image tasks",
    returns: successSchema(listSchema(ImageTaskPage)),
    query: ImageTaskQuery,
  },
  listTasks: {
    access: "admin",
    summary: "List music tasks",
    returns: successSchema(listSchema(GenericTaskPage)),
    query: GenericQuery,
  },
  listOwnTasks: {
    access: "user",
    summary: "List the own music tasks",
    returns: successSchema(listSchema(GenericTaskPage)),
    query: GenericQuery,
  },
} as const;

/** Image tasks. Mounted at /api/mj. */
export function imageTaskRoutes({ services: { tasks }, route, options }: RoutesDeps): Router {
  const imageRule = (): ImageRule => {
    const { flag, text } = options.known();
    return { isForwarded: flag("MjForwardUrlEnabled"), site: text("ServerAddress") };
  };
  return Router()
    .get(
      "/",
      route(SPECS.listImageTasks, async ({ query }, { call }) => {
        const { items, total } = await tasks.listTasks({ ...query, userId: 0 }, call);
        const rule = imageRule();
        return okList(query, { items: items.map((task) => toImageTask(task, rule)), total });
      }),
    )
    .get(
      "/self",
      route(SPECS.listOwnImageTasks, async ({ query }, { caller, call }) => {
        const own = { ...query, userId: caller.user.id, channelId: 0 };
        const { items, total } = await tasks.listTasks(own, call);
        const rule = imageRule();
        return okList(query, { items: items.map((task) => omitChannel(toImageTask(task, rule))), total });
      }),
    );
}

/** Tasks of other kinds. Mounted at /api/task. */
export function taskRoutes({ services: { tasks }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/",
      route(SPECS.listTasks, async ({ query }, { call }) => {
        const { items, total } = await tasks.listTasks({ ...query, userId: 0 }, call);
        return okList(query, { items: items.map(toGenericTask), total });
      }),
    )
    .get(
      "/self",
      route(SPECS.listOwnTasks, async ({ query }, { caller, call }) => {
        const own = { ...query, userId: caller.user.id, channelId: 0 };
        const { items, total } = await tasks.listTasks(own, call);
        return okList(query, { items: items.map((task) => omitChannel(toGenericTask(task))), total });
      }),
    );
}
