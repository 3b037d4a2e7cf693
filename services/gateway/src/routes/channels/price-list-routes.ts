import { ChannelPriceList } from "@turnpike/contract/api/channels/channel";
import { IdParams, successSchema } from "@turnpike/contract/api/common";
import { Router } from "express";
import { ok } from "../../http/api-response.ts";
import type { GetPriceListResponse } from "@turnpike/proto/channel/v1/channel_service";
import type { RoutesDeps } from "../routes-deps.ts";

const FETCH_PRICES_TIMEOUT_MS = 50_000;

const SPECS = {
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
} as const;

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
export function priceListRoutes({ services: { channels }, route }: RoutesDeps): Router {
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
