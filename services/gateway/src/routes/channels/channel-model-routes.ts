import { NameList } from "@turnpike/contract/api/user";
import { FetchModelsBody, KnownModels } from "@turnpike/contract/api/channels/channel";
import { IdParams, successSchema } from "@turnpike/contract/api/common";
import { DEFAULT_MODELS_BY_TYPE } from "@turnpike/contract/api/models/default-models";
import { Router } from "express";
import { ok } from "../../http/api-response.ts";
import { getModels, getPrices, isSellable } from "../../presenters/billing/pricing.ts";
import type { RoutesDeps } from "../routes-deps.ts";

const FETCH_MODELS_TIMEOUT_MS = 35_000;

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
} as const;

/** Models that channels serve: the built-in ones, the enabled ones, and those an upstream lists. */
export function channelModelRoutes({ services, route }: RoutesDeps): Router {
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
