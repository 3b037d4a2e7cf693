import { pageQuery } from "@turnpike/contract/api/common";
import { type PriceChange, PriceChangeFilter } from "@turnpike/contract/api/price-history";
import type { PriceChange as StoredChange } from "@turnpike/proto/auth/v1/price_history_service";
import { Router } from "express";
import { okPage } from "../http/api-response.ts";
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

/** Who changed which price. Mounted at /api/option. */
export function priceHistoryRoutes({ services: { priceHistory }, route }: RoutesDeps): Router {
  return Router().get(
    "/price_history",
    route({ access: "admin", query: PriceChangeFilter.and(pageQuery(1)) }, async ({ query }, { call }) => {
      const { start_timestamp: startSeconds, end_timestamp: endSeconds, ...rest } = query;
      const found = await priceHistory.listPriceChanges({ ...rest, startSeconds, endSeconds }, call);
      return okPage(query, { items: found.items.map(toPriceChange), total: found.total });
    }),
  );
}
