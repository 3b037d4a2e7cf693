import {
  ChannelBatchTagBody,
  ChannelIdsBody,
  ChannelTagBody,
  ChannelTagEditBody,
} from "@turnpike/contract/api/channel";
import { Router } from "express";
import { ok } from "../http/api-response.ts";
import { wholeRouting } from "../presenters/channel.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** One transaction over up to two thousand channels. */
const BULK_TIMEOUT_MS = 30_000;

/** Calls over many channels at once; each answers how many. */
export function channelBulkRoutes({ services: { channelBulk }, route }: RoutesDeps): Router {
  const switchTag = (enabled: boolean) =>
    route({ access: "admin", body: ChannelTagBody }, async ({ body: { tag } }, { call }) =>
      ok((await channelBulk.switchTag({ tag, enabled }, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
    );
  return Router()
    .delete(
      "/disabled",
      route({ access: "admin" }, async (_, { call }) =>
        ok((await channelBulk.deleteDisabledChannels({}, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
      ),
    )
    .post(
      "/batch",
      route({ access: "admin", body: ChannelIdsBody }, async ({ body }, { call }) =>
        ok((await channelBulk.deleteChannels(body, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
      ),
    )
    .post(
      "/batch/tag",
      route({ access: "admin", body: ChannelBatchTagBody }, async ({ body: { ids, tag } }, { call }) =>
        ok((await channelBulk.tagChannels({ ids, tag }, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
      ),
    )
    .put(
      "/tag",
      route({ access: "admin", body: ChannelTagEditBody }, async ({ body }, { call }) => {
        const { new_tag: newTag, model_mapping: modelMapping, ...rest } = body;
        const edit = { ...rest, newTag, modelMapping, ...wholeRouting(rest) };
        return ok((await channelBulk.editTag(edit, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count);
      }),
    )
    .post("/tag/enabled", switchTag(true))
    .post("/tag/disabled", switchTag(false))
    .post(
      "/fix",
      route({ access: "admin" }, async (_, { call }) =>
        ok((await channelBulk.fixChannels({}, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
      ),
    );
}
