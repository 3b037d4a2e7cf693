import { pageQuery, successSchema } from "@turnpike/contract/api/common";
import {
  CatalogueBody,
  type CatalogueDifference,
  CatalogueComparison,
  CatalogueProposal,
} from "@turnpike/contract/api/models/catalogue";
import type { CompareCatalogueResponse } from "@turnpike/proto/billing/v1/catalogue_service";
import { PriceChangesBody, PriceBook, PriceChangesResult } from "@turnpike/contract/api/prices/price-revisions";
import { FoundPrice, ModelPricesBody } from "@turnpike/contract/api/prices/model-prices";
import {
  type PriceHistoryEntry,
  PriceHistoryFilter,
  PriceHistoryPage,
} from "@turnpike/contract/api/prices/price-history";
import { RehearsalBody, RehearsalStep } from "@turnpike/contract/api/prices/rehearsal";
import type { PriceChange as StoredChange } from "@turnpike/proto/billing/v1/price_book_service";
import { Router } from "express";
import { ok, okPage } from "../../http/api-response.ts";
import { toProblem } from "../../presenters/billing/catalogue-problem.ts";
import { toFoundPrice } from "../../presenters/billing/pricing.ts";
import { toRehearsalStep } from "../../presenters/billing/rehearsal.ts";
import { checkGroupChange, type RatioChange } from "../../site/groups.ts";
import type { RoutesDeps } from "../routes-deps.ts";
import { z } from "zod/mini";

const toPriceChange = (change: StoredChange): PriceHistoryEntry => ({
  id: change.id,
  created_at: change.createdAtSeconds,
  actor_id: change.actorId,
  actor_name: change.actorName,
  key: change.key,
  name: change.name,
  before: change.before ?? null,
  after: change.after ?? null,
  before_built_in: change.isBuiltInBefore,
  after_built_in: change.isBuiltInAfter,
});

const toEntryTexts = (entries: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, JSON.stringify(entry)]));

/** What a change of the group ratios makes of them. */
function toRatioChange(change: z.output<typeof PriceChangesBody>["changes"][number]): RatioChange {
  const { value, reset, set, remove } = change;
  if (reset) return { reset: true };
  return value === undefined ? { set, remove } : { value };
}

/** Fetching a catalogue and reading the rows of 30 days. */
const CATALOGUE_TIMEOUT_MS = 40_000;
const REHEARSAL_TIMEOUT_MS = 25_000;

const toRule = (json: string): Record<string, unknown> | null =>
  json === "" ? null : (JSON.parse(json) as Record<string, unknown>);

const toCatalogueComparison = ({ newQuota, isPartial, differences, ...rest }: CompareCatalogueResponse) => ({
  ...rest,
  new_quota: newQuota,
  is_partial: isPartial,
  differences: differences.map((difference): CatalogueDifference => ({
    model: difference.model,
    before: toRule(difference.beforeJson),
    after: toRule(difference.afterJson),
    factor: difference.factor,
    needs_confirmation: difference.needsConfirmation,
    is_overridden: difference.isOverridden,
    calls: difference.calls,
    channel_ids: [...difference.channelIds],
    quota: difference.quota,
    new_quota: difference.newQuota,
  })),
});

const SPECS = {
  readProposal: {
    access: "admin",
    summary: "Read the last scheduled comparison with a catalogue",
    returns: successSchema(CatalogueProposal),
  },
  compareCatalogue: {
    access: "admin",
    summary: "Compare the prices with a catalogue",
    returns: successSchema(CatalogueComparison),
    body: CatalogueBody,
    hasLargeBody: true,
  },
  readPrices: {
    access: "admin",
    summary: "Read all price options and their revision",
    returns: successSchema(PriceBook),
  },
  findPrices: {
    access: "admin",
    summary: "Find the prices in force of models, by name",
    returns: successSchema(z.array(FoundPrice)),
    body: ModelPricesBody,
  },
  changePrices: {
    access: "admin",
    summary: "Change prices, all or none",
    returns: successSchema(PriceChangesResult),
    body: PriceChangesBody,
  },
  rehearsePrices: {
    access: "admin",
    summary: "Calculate past calls at proposed prices, one step at a time",
    returns: successSchema(RehearsalStep),
    body: RehearsalBody,
    hasLargeBody: true,
  },
  listPriceChanges: {
    access: "admin",
    summary: "List changes of prices",
    returns: successSchema(PriceHistoryPage),
    query: z.intersection(PriceHistoryFilter, pageQuery(1)),
  },
} as const;

/** The comparison with a catalogue, and its schedule's result. */
const catalogueRoutes = ({ services: { catalogues }, route }: RoutesDeps): Router =>
  Router()
    .get(
      "/catalogue",
      route(SPECS.readProposal, async (_, { call, facts }) => {
        const { checkedAtSeconds, problem, ...proposal } = await catalogues.getCatalogueProposal({}, call);
        return ok({ ...proposal, problem: toProblem(problem, facts.language), checked_at: checkedAtSeconds });
      }),
    )
    .post(
      "/catalogue",
      route(SPECS.compareCatalogue, async ({ body }, { call }) => {
        const found = await catalogues.compareCatalogue(body, { ...call, timeoutMs: CATALOGUE_TIMEOUT_MS });
        return ok(toCatalogueComparison(found));
      }),
    );

/** The price book, its changes and their history. Mounted at /api/option. */
export function priceRoutes(deps: RoutesDeps): Router {
  const { services, route } = deps;
  const { priceBook, prices } = services;
  return Router()
    .use(catalogueRoutes(deps))
    .get(
      "/prices",
      route(SPECS.readPrices, async (_, { call }) => {
        const { revision, options } = await priceBook.getPriceBook({}, call);
        return ok({ revision, options: options.map(({ key, value }) => ({ key, value })) });
      }),
    )
    .post(
      "/model_prices",
      route(SPECS.findPrices, async ({ body }, { call }) => {
        const found = await prices.listPrices({ models: body.models, userGroup: "" }, call);
        return ok(found.prices.map(toFoundPrice));
      }),
    )
    .put(
      "/prices",
      route(SPECS.changePrices, async ({ body }, { call }) => {
        for (const change of body.changes.filter(({ key }) => key === "GroupRatio"))
          await checkGroupChange(services, { ratios: toRatioChange(change) }, call);
        const changes = body.changes.map((change) => ({ ...change, set: toEntryTexts(change.set) }));
        return ok(
          await priceBook.changePrices({ changes, expectedRevision: body.revision, isConfirmed: body.confirmed }, call),
        );
      }),
    )
    .post(
      "/rehearsal",
      route(SPECS.rehearsePrices, async ({ body }, { call }) => {
        const { changes, revision: expectedRevision, after, start_timestamp, end_timestamp } = body;
        const step = await priceBook.rehearsePrices(
          {
            changes: changes.map((change) => ({ ...change, set: toEntryTexts(change.set) })),
            expectedRevision,
            startSeconds: start_timestamp,
            endSeconds: end_timestamp,
            after: after && { createdAt: after.created_at, id: after.id },
          },
          { ...call, timeoutMs: REHEARSAL_TIMEOUT_MS },
        );
        return ok(toRehearsalStep(step));
      }),
    )
    .get(
      "/price_history",
      route(SPECS.listPriceChanges, async ({ query }, { call }) => {
        const { start_timestamp: startSeconds, end_timestamp: endSeconds, ...rest } = query;
        const found = await priceBook.listPriceChanges({ ...rest, startSeconds, endSeconds }, call);
        return okPage(query, { items: found.items.map(toPriceChange), total: found.total });
      }),
    );
}
