import { pageQuery } from "@turnpike/contract/api/common";
import { PriceChangesBody } from "@turnpike/contract/api/price-book";
import { type PriceChange, PriceChangeFilter } from "@turnpike/contract/api/price-history";
import type { PriceChange as StoredChange } from "@turnpike/proto/billing/v1/price_book_service";
import { Router } from "express";
import { ok, okPage } from "../http/api-response.ts";
import type { RoutesDeps } from "./routes-deps.ts";

const toPriceChange = (change: StoredChange): PriceChange => ({
  id: change.id,
  created_at: change.createdAtSeconds,
  actor_id: change.actorId,
  actor_name: change.actorName,
  key: change.key,
  name: change.name,
  before: change.before ?? null,
  after: change.after ?? null,
});

const toEntryTexts = (entries: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(Object.entries(entries).map(([name, entry]) => [name, JSON.stringify(entry)]));

/** The price book, its changes and their history. Mounted at /api/option. */
export function priceRoutes({ services: { priceBook }, route }: RoutesDeps): Router {
  return Router()
    .get(
      "/prices",
      route({ access: "admin" }, async (_, { call }) => {
        const { revision, options } = await priceBook.getPriceBook({}, call);
        return ok({ revision, options: options.map(({ key, value }) => ({ key, value })) });
      }),
    )
    .put(
      "/prices",
      route({ access: "admin", body: PriceChangesBody }, async ({ body }, { call }) => {
        const changes = body.changes.map((change) => ({ ...change, set: toEntryTexts(change.set) }));
        return ok(await priceBook.changePrices({ changes, expectedRevision: body.revision }, call));
      }),
    )
    .get(
      "/price_history",
      route({ access: "admin", query: PriceChangeFilter.and(pageQuery(1)) }, async ({ query }, { call }) => {
        const { start_timestamp: startSeconds, end_timestamp: endSeconds, ...rest } = query;
        const found = await priceBook.listPriceChanges({ ...rest, startSeconds, endSeconds }, call);
        return okPage(query, { items: found.items.map(toPriceChange), total: found.total });
      }),
    );
}
