import {
  Channel,
  ChannelCopyFields,
  ChannelFilter,
  ChannelPage,
  ChannelUpdateBody,
} from "@turnpike/contract/api/channels/channel";
import { IdParams, pageQuery, Done, listSchema, successSchema } from "@turnpike/contract/api/common";
import { Router } from "express";
import { ok, okList } from "../../http/api-response.ts";
import type { RouteContext } from "../../http/route-spec.ts";
import { joinTotals, toChannelInput } from "../../presenters/channel.ts";
import { requireGroups } from "../../site/groups.ts";
import { requireField } from "../../presenters/required-field.ts";
import type { Channel as StoredChannel } from "@turnpike/proto/channel/v1/channel_service";
import { channelBulkRoutes } from "./channel-bulk-routes.ts";
import { channelModelRoutes } from "./channel-model-routes.ts";
import { channelHealthRoutes } from "./channel-health-routes.ts";
import { priceListRoutes } from "./price-list-routes.ts";
import { channelReportRoutes } from "./channel-report-routes.ts";
import { channelRunRoutes } from "./channel-run-routes.ts";
import type { RoutesDeps } from "../routes-deps.ts";
import { z } from "zod/mini";

/** The channel service itself reports missing fields. */
const ChannelForm = z.extend(z.omit(ChannelUpdateBody, { id: true }), ChannelCopyFields.shape);

const SPECS = {
  listChannels: {
    access: "admin",
    summary: "List channels",
    returns: successSchema(listSchema(ChannelPage)),
    query: z.intersection(ChannelFilter, pageQuery(0)),
  },
  readChannel: { access: "admin", summary: "Read a channel", returns: successSchema(Channel), params: IdParams },
  createChannel: {
    access: "admin",
    summary: "Create or copy a channel",
    returns: successSchema(Channel),
    body: ChannelForm,
  },
  changeChannel: {
    access: "admin",
    summary: "Change a channel",
    returns: successSchema(Channel),
    body: ChannelUpdateBody,
  },
  deleteChannel: { access: "admin", summary: "Delete a channel", returns: Done, params: IdParams },
} as const;

/** Channel administration. Mounted at /api/channel. */
export function channelRoutes(deps: RoutesDeps): Router {
  const { services, route } = deps;
  const { channels } = services;
  const joined = async (channel: StoredChannel | undefined, { call, facts }: RouteContext<"admin">) => {
    const [shown] = await joinTotals(services, [requireField(channel, "channel")], { call, log: facts.log });
    return ok(requireField(shown, "channel"));
  };
  const list = route(SPECS.listChannels, async ({ query }, context) => {
    const { page, pageSize, id_sort: idSort, tag_mode: tagMode, keyword, group, model, tag } = query;
    const filter = { page, pageSize, idSort, tagMode, keyword, group, model, tag };
    const found = await channels.listChannels(filter, context.call);
    const items = await joinTotals(services, found.items, { call: context.call, log: context.facts.log });
    return okList(query, { items, total: found.total });
  });
  return Router()
    .use("/", channelBulkRoutes(deps))
    .use("/", channelRunRoutes(deps))
    .use("/", channelModelRoutes(deps))
    .use("/", channelHealthRoutes(deps), priceListRoutes(deps), channelReportRoutes(deps))
    .get("/", list)
    .get("/search", list)
    .get(
      "/:id",
      route(SPECS.readChannel, async ({ params }, context) =>
        joined((await channels.findChannel(params, context.call)).channel, context),
      ),
    )
    .post(
      "/",
      route(SPECS.createChannel, async ({ body }, context) => {
        await requireGroups(services, (body.group ?? "").split(","), context.call);
        const copyFrom = body.copy_from ?? ((body.key ?? "").trim() === "" ? body.id : 0) ?? 0;
        return joined(
          (await channels.createChannel({ input: toChannelInput(body), copyFrom }, context.call)).channel,
          context,
        );
      }),
    )
    .put(
      "/",
      route(SPECS.changeChannel, async ({ body }, context) => {
        await requireGroups(services, (body.group ?? "").split(","), context.call);
        const { channel } = await channels.updateChannel({ id: body.id, input: toChannelInput(body) }, context.call);
        return joined(channel, context);
      }),
    )
    .delete(
      "/:id",
      route(SPECS.deleteChannel, async ({ params }, { call }) => {
        await channels.deleteChannel(params, call);
        return ok();
      }),
    );
}
