import { getPriceDifferences } from "@turnpike/contract/pricing/price-differences";
import type { ListPriceChangesRequest } from "@turnpike/proto/billing/v1/price_book_service";
import type { Actor } from "@turnpike/shared/grpc/context";
import { allocateIds } from "@turnpike/shared/mongo/mongo";
import type { ClientSession, Connection, mongo } from "mongoose";
import { QUERY_TIMEOUT_MS, toPageRange, toSubstringPattern } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { PriceChangeDoc } from "../store/price-book-document.ts";

/** One price option before and after a change. */
export type PriceOptionValues = { readonly key: string; readonly before: string; readonly after: string };

export type PriceHistory = ReturnType<typeof createPriceHistory>;

function toQuery(request: ListPriceChangesRequest): mongo.Filter<PriceChangeDoc> {
  const { name, key, startSeconds, endSeconds } = request;
  const range = {
    ...(startSeconds > 0 ? { $gte: startSeconds } : {}),
    ...(endSeconds > 0 ? { $lte: endSeconds } : {}),
  };
  return {
    ...(name === "" ? {} : { name: toSubstringPattern(name) }),
    ...(key === "" ? {} : { key }),
    ...(Object.keys(range).length === 0 ? {} : { createdAtSeconds: range }),
  };
}

/** The history of prices: each price that a change made another one, and who did it. */
export function createPriceHistory(deps: {
  connection: Connection;
  collections: Pick<Collections, "priceChanges">;
  nowSeconds: () => number;
}) {
  const { connection, nowSeconds } = deps;
  const { priceChanges } = deps.collections;
  return {
    /** Writes every price that differs, in the transaction of the change. */
    async record(actor: Actor, options: readonly PriceOptionValues[], session: ClientSession): Promise<void> {
      const rows = options.flatMap(({ key, before, after }) =>
        getPriceDifferences(before, after).map((difference) => ({ key, ...difference })),
      );
      if (rows.length === 0) return;
      const firstId = await allocateIds(connection, "price_changes", rows.length);
      const who = { actorId: actor.userId, actorName: actor.username, createdAtSeconds: nowSeconds() };
      const docs = rows.map(({ key, name, before, after }, index): PriceChangeDoc => ({
        _id: firstId + index,
        ...who,
        key,
        name,
        ...(before === undefined ? {} : { before }),
        ...(after === undefined ? {} : { after }),
      }));
      await priceChanges.insertMany(docs, { session });
    },
    /** One page, newest first, with the total number of matching changes. */
    async list(request: ListPriceChangesRequest): Promise<{ items: PriceChangeDoc[]; total: number }> {
      const query = toQuery(request);
      const { skip, limit } = toPageRange(request, 1);
      const sort = { createdAtSeconds: -1, _id: -1 } as const;
      const [items, total] = await Promise.all([
        priceChanges.find(query, { sort, skip, limit, maxTimeMS: QUERY_TIMEOUT_MS }).toArray(),
        priceChanges.countDocuments(query, { maxTimeMS: QUERY_TIMEOUT_MS }),
      ]);
      return { items, total };
    },
  };
}
