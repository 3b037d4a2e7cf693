import { NameList } from "@turnpike/contract/api/user";
import {
  Channel,
  ChannelCopyFields,
  ChannelFilter,
  ChannelPage,
  ChannelPriceList,
  ChannelUpdateBody,
  FetchModelsBody,
  KnownModels,
} from "@turnpike/contract/api/channels/channel";
import { ChannelTestQuery, ChannelTestResult } from "@turnpike/contract/api/channels/channel-runs";
import { ChannelHealthDetail, ChannelHours, ChannelHoursQuery } from "@turnpike/contract/api/channels/channel-health";
import { IdParams, pageQuery, Done, listSchema, successSchema } from "@turnpike/contract/api/common";
import { DEFAULT_MODELS_BY_TYPE } from "@turnpike/contract/api/models/default-models";
import { Router } from "express";
import { ok, okList } from "../../http/api-response.ts";
import type { RouteContext } from "../../http/route-spec.ts";
import { toChannelHours } from "../../presenters/channel-hours.ts";
import { joinTotals, toChannelInput, toHealthDetail } from "../../presenters/channel.ts";
import { readFailingChannels } from "../../presenters/failing-channels.ts";
import { getModels, getPrices, isSellable } from "../../presenters/billing/pricing.ts";
import { requireGroups } from "../../site/groups.ts";
import { requireField } from "../../presenters/required-field.ts";
import type { Channel as StoredChannel, GetPriceListResponse } from "@turnpike/proto/channel/v1/channel_service";
import { channelBulkRoutes } from "./channel-bulk-routes.ts";
import { channelReportRoutes } from "./channel-report-routes.ts";
import { channelRunRoutes } from "./channel-run-routes.ts";
import type { RoutesDeps } from "../routes-deps.ts";
import { z } from "zod/mini";

/** A test is a real call to an upstream that may be slow. */
const TEST_TIMEOUT_MS = 65_000;
const FETCH_MODELS_TIMEOUT_MS = 35_000;
const FETCH_PRICES_TIMEOUT_MS = 50_000;

/** The channel service itself reports missing fields. */
const ChannelForm = z.extend(z.omit(ChannelUpdateBody, { id: true }), ChannelCopyFields.shape);

const SPECS = {
  listBuiltInModels: { access: "admin", summary: "List the built-in models", returns: successSchema(KnownModels) },
  listEnabledModels: {
    access: "admin",
    summary: "List the models of enabled channels",
    returns: successSchema(NameList),
  },
  listUnpricedModels: {
    access: "admin",
    summary: "List the models of enabled channels that have no price, which callers do not see",
    returns: successSchema(NameList),
  },
  fetchModels: {
    access: "admin",
    summary: "List the models of an upstream account",
    returns: successSchema(NameList),
    body: FetchModelsBody,
  },
  fetchModelsOfChannel: {
    access: "admin",
    summary: "List the models of a channel's upstream account",
    returns: successSchema(NameList),
    params: IdParams,
    changesState: true,
  },
  testChannel: {
    access: "admin",
    summary: "Test a channel with a call",
    returns: ChannelTestResult,
    params: IdParams,
    query: ChannelTestQuery,
    changesState: true,
  },
  readHealth: {
    access: "admin",
    summary: "Read the health of a channel and its keys",
    returns: successSchema(ChannelHealthDetail),
    params: IdParams,
  },
  listHours: {
    access: "admin",
    summary: "List the calls, errors and latencies of channels in the last 24 hours",
    returns: successSchema(z.array(ChannelHours)),
    query: ChannelHoursQuery,
  },
  listFailing: {
    access: "admin",
    summary: "List channels that the system disabled or skips, that fail often, or whose last test failed",
    returns: successSchema(z.array(Channel)),
  },
  readPriceList: {
    access: "admin",
    summary: "Read the price list of the reseller above a channel, in figures",
    returns: successSchema(ChannelPriceList),
    params: IdParams,
  },
  fetchPriceList: {
    access: "admin",
    summary: "Fetch the price list of the reseller above a channel",
    returns: successSchema(ChannelPriceList),
    params: IdParams,
  },
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

/** Models that channels serve: the built-in ones, the enabled ones, and those an upstream lists. */
function channelModelRoutes({ services, route }: RoutesDeps): Router {
  const { channels } = services;
  return Router()
    .get(
      "/models",
      route(SPECS.listBuiltInModels, () =>
        ok([...new Set(Object.values(DEFAULT_MODELS_BY_TYPE).flat())].map((id) => ({ id }))),
      ),
    )
    .get(
      "/models_enabled",
      route(SPECS.listEnabledModels, async (_, { call }) =>
        ok([...(await getModels(services, undefined, call)).groups.keys()]),
      ),
    )
    .get(
      "/models_unpriced",
      route(SPECS.listUnpricedModels, async (_, { call }) => {
        const prices = await getPrices(services, await getModels(services, undefined, call), call);
        return ok(prices.filter((price) => !isSellable(price)).map(({ modelName }) => modelName));
      }),
    )
    .post(
      "/fetch_models",
      route(SPECS.fetchModels, async ({ body }, { call }) => {
        const { models } = await channels.fetchModels(
          { id: 0, type: body.type, baseUrl: body.base_url, key: body.key },
          { ...call, timeoutMs: FETCH_MODELS_TIMEOUT_MS },
        );
        return ok(models);
      }),
    )
    .get(
      "/fetch_models/:id",
      route(SPECS.fetchModelsOfChannel, async ({ params }, { call }) => {
        const { models } = await channels.fetchModels(
          { id: params.id, type: 0, baseUrl: "", key: "" },
          { ...call, timeoutMs: FETCH_MODELS_TIMEOUT_MS },
        );
        return ok(models);
      }),
    );
}

/** The health of a channel, as measured and by a test call. */
function channelHealthRoutes({ services, route }: RoutesDeps): Router {
  const { channels, channelHealth, reports } = services;
  return Router()
    .get(
      "/test/:id",
      route(SPECS.testChannel, async ({ params, query }, { call }) => {
        const outcome = await channels.testChannel(
          { id: params.id, model: query.model },
          { ...call, timeoutMs: TEST_TIMEOUT_MS },
        );
        return { body: { success: outcome.success, message: outcome.message, time: outcome.timeSeconds } };
      }),
    )
    .get(
      "/failing",
      route(SPECS.listFailing, async (_, { call, facts }) => {
        const failing = await readFailingChannels(services, call);
        return ok(await joinTotals(services, failing, { call, log: facts.log }));
      }),
    )
    .get(
      "/hours",
      route(SPECS.listHours, async ({ query }, { call }) => {
        const keys = [...new Set(query.ids.split(",").map((id) => String(Number(id))))];
        return ok(toChannelHours(keys, await reports.listPartHours({ by: "channel", hours: 24, keys }, call)));
      }),
    )
    .get(
      "/:id/health",
      route(SPECS.readHealth, async ({ params }, { call }) => {
        const [{ channel }, { keys }] = await Promise.all([
          channels.findChannel(params, call),
          channelHealth.listKeys(params, call),
        ]);
        return ok(toHealthDetail(requireField(channel, "channel").health, keys));
      }),
    );
}

const toPriceList = (list: GetPriceListResponse): ChannelPriceList => ({
  fetched_at: list.fetchedAtSeconds,
  source: list.source,
  models: list.models,
  priced_models: list.pricedModels,
  groups: list.groups,
  error: list.error,
  error_at: list.errorAtSeconds,
});

/** The price list of the reseller above a channel. */
function priceListRoutes({ services: { channels }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/:id/price_list",
      route(SPECS.readPriceList, async ({ params }, { call }) =>
        ok(toPriceList(await channels.getPriceList({ ...params, refresh: false }, call))),
      ),
    )
    .post(
      "/:id/price_list",
      route(SPECS.fetchPriceList, async ({ params }, { call }) => {
        const options = { ...call, timeoutMs: FETCH_PRICES_TIMEOUT_MS };
        return ok(toPriceList(await channels.getPriceList({ ...params, refresh: true }, options)));
      }),
    );
}

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
