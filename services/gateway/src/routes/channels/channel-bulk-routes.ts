import { Count } from "@turnpike/contract/api/common";
import {
  ChannelBatchTagBody,
  ChannelIdsBody,
  ChannelTagBody,
  ChannelTagEditBody,
} from "@turnpike/contract/api/channels/channel";
import { Router } from "express";
import { ok } from "../../http/api-response.ts";
import { checkRouting } from "../../presenters/channel.ts";
import { requireGroups } from "../../site/groups.ts";
import type { RoutesDeps } from "../routes-deps.ts";

/** One transaction over up to 2,000 channels. */
const BULK_TIMEOUT_MS = 30_000;

const SPECS = {
  deleteDisabled: { access: "admin", summary: "Delete all disabled channels", returns: Count },
  deleteChannels: { access: "admin", summary: "Delete channels", returns: Count, body: ChannelIdsBody },
  tagChannels: { access: "admin", summary: "Set the tag of channels", returns: Count, body: ChannelBatchTagBody },
  changeTag: {
    access: "admin",
    summary: "Change the channels of a tag",
    returns: Count,
    body: ChannelTagEditBody,
  },
  fixChannels: { access: "admin", summary: "Rebuild the models that channels serve", returns: Count },
} as const;

/** Calls over many channels at once; each returns the number of changed channels. */
export function channelBulkRoutes({ services, route }: RoutesDeps): Router {
  const { channelBulk } = services;
  const switchTag = (enabled: boolean) =>
    route(
      {
        access: "admin",
        summary: enabled ? "Enable the channels of a tag" : "Disable the channels of a tag",
        returns: Count,
        body: ChannelTagBody,
      },
      async ({ body: { tag } }, { call }) =>
        ok((await channelBulk.switchTag({ tag, enabled }, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
    );
  return Router()
    .delete(
      "/disabled",
      route(SPECS.deleteDisabled, async (_, { call }) =>
        ok((await channelBulk.deleteDisabledChannels({}, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
      ),
    )
    .post(
      "/batch",
      route(SPECS.deleteChannels, async ({ body }, { call }) =>
        ok((await channelBulk.deleteChannels(body, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
      ),
    )
    .post(
      "/batch/tag",
      route(SPECS.tagChannels, async ({ body: { ids, tag } }, { call }) =>
        ok((await channelBulk.tagChannels({ ids, tag }, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
      ),
    )
    .put(
      "/tag",
      route(SPECS.changeTag, async ({ body }, { call }) => {
        await requireGroups(services, body.groups.split(","), call);
        const { new_tag: newTag, model_mapping: modelMapping, ...rest } = body;
        const edit = { ...rest, newTag, modelMapping, ...checkRouting(rest) };
        return ok((await channelBulk.editTag(edit, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count);
      }),
    )
    .post("/tag/enabled", switchTag(true))
    .post("/tag/disabled", switchTag(false))
    .post(
      "/fix",
      route(SPECS.fixChannels, async (_, { call }) =>
        ok((await channelBulk.fixChannels({}, { ...call, timeoutMs: BULK_TIMEOUT_MS })).count),
      ),
    );
}
