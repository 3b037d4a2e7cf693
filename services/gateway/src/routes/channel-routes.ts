import {
  ChannelCopyFields,
  ChannelFilter,
  ChannelTestQuery,
  ChannelUpdateBody,
  FetchModelsBody,
} from "@turnpike/contract/api/channel";
import { IdParams, pageQuery } from "@turnpike/contract/api/common";
import { DEFAULT_MODELS_BY_TYPE } from "@turnpike/contract/api/default-models";
import { Router } from "express";
import { ok, okList } from "../http/api-response.ts";
import type { RouteContext } from "../http/route.ts";
import { joinTotals, toChannelInput, toHealthDetail } from "../presenters/channel.ts";
import { getModels } from "../presenters/pricing.ts";
import { requireField } from "../presenters/required-field.ts";
import type { Channel } from "@turnpike/proto/channel/v1/channel_service";
import { channelBulkRoutes } from "./channel-bulk-routes.ts";
import { channelRunRoutes } from "./channel-run-routes.ts";
import type { RoutesDeps } from "./routes-deps.ts";

/** A test is a real call to an upstream that may be slow. */
const TEST_TIMEOUT_MS = 65_000;
const FETCH_MODELS_TIMEOUT_MS = 35_000;

/** What is missing is for the channel service to say, in its own words. */
const ChannelForm = ChannelUpdateBody.omit({ id: true }).extend(ChannelCopyFields.shape);

/** Channel administration. Mounted at /api/channel. */
export function channelRoutes(deps: RoutesDeps): Router {
  const { services, route } = deps;
  const { channels } = services;
  const joined = async (channel: Channel | undefined, { call, facts }: RouteContext<"admin">) => {
    const [shown] = await joinTotals(services, [requireField(channel, "channel")], { call, log: facts.log });
    return ok(shown);
  };
  const list = route({ access: "admin", query: ChannelFilter.and(pageQuery(0)) }, async ({ query }, context) => {
    const { page, pageSize, id_sort: idSort, tag_mode: tagMode, keyword, group, model, tag } = query;
    const asked = { page, pageSize, idSort, tagMode, keyword, group, model, tag };
    const found = await channels.listChannels(asked, context.call);
    const items = await joinTotals(services, found.items, { call: context.call, log: context.facts.log });
    return okList(query, { items, total: found.total });
  });
  return Router()
    .use("/", channelBulkRoutes(deps))
    .use("/", channelRunRoutes(deps))
    .get("/", list)
    .get("/search", list)
    .get(
      "/models",
      route({ access: "admin" }, () =>
        ok([...new Set(Object.values(DEFAULT_MODELS_BY_TYPE).flat())].map((id) => ({ id }))),
      ),
    )
    .get(
      "/models_enabled",
      route({ access: "admin" }, async (_, { call }) => ok([...(await getModels(services, undefined, call)).keys()])),
    )
    .get(
      "/test/:id",
      route(
        { access: "admin", params: IdParams, query: ChannelTestQuery, changesState: true },
        async ({ params, query }, { call }) => {
          const outcome = await channels.testChannel(
            { id: params.id, model: query.model },
            { ...call, timeoutMs: TEST_TIMEOUT_MS },
          );
          return { body: { success: outcome.success, message: outcome.message, time: outcome.timeSeconds } };
        },
      ),
    )
    .post(
      "/fetch_models",
      route({ access: "admin", body: FetchModelsBody }, async ({ body }, { call }) => {
        const { models } = await channels.fetchModels(
          { id: 0, type: body.type, baseUrl: body.base_url, key: body.key },
          { ...call, timeoutMs: FETCH_MODELS_TIMEOUT_MS },
        );
        return ok(models);
      }),
    )
    .get(
      "/fetch_models/:id",
      route({ access: "admin", params: IdParams, changesState: true }, async ({ params }, { call }) => {
        const { models } = await channels.fetchModels(
          { id: params.id, type: 0, baseUrl: "", key: "" },
          { ...call, timeoutMs: FETCH_MODELS_TIMEOUT_MS },
        );
        return ok(models);
      }),
    )
    .get(
      "/:id/health",
      route({ access: "admin", params: IdParams }, async ({ params }, { call }) => {
        const [{ channel }, { keys }] = await Promise.all([
          channels.findChannel(params, call),
          services.channelHealth.listKeys(params, call),
        ]);
        return ok(toHealthDetail(requireField(channel, "channel").health, keys));
      }),
    )
    .get(
      "/:id",
      route({ access: "admin", params: IdParams }, async ({ params }, context) =>
        joined((await channels.findChannel(params, context.call)).channel, context),
      ),
    )
    .post(
      "/",
      route({ access: "admin", body: ChannelForm }, async ({ body }, context) => {
        const copyFrom = body.copy_from ?? ((body.key ?? "").trim() === "" ? body.id : 0) ?? 0;
        return joined(
          (await channels.createChannel({ input: toChannelInput(body), copyFrom }, context.call)).channel,
          context,
        );
      }),
    )
    .put(
      "/",
      route({ access: "admin", body: ChannelUpdateBody }, async ({ body }, context) => {
        const { channel } = await channels.updateChannel({ id: body.id, input: toChannelInput(body) }, context.call);
        return joined(channel, context);
      }),
    )
    .delete(
      "/:id",
      route({ access: "admin", params: IdParams }, async ({ params }, { call }) => {
        await channels.deleteChannel(params, call);
        return ok();
      }),
    );
}
