import { getPriceDifferences, type PriceDifference } from "@turnpike/contract/options/price-differences";
import type { ListPriceChangesRequest } from "@turnpike/proto/billing/v1/price_book_service";
import type { PriceKey } from "@turnpike/contract/options/price-options";
import type { Actor } from "@turnpike/shared/grpc/context";
import { allocateIds } from "@turnpike/shared/mongo/mongo";
import { readSearchPage, SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { ClientSession, Connection, mongo } from "mongoose";
import type { FindBuiltIn } from "./built-in-prices.ts";
import { toPageRange, toSubstringPattern } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { PriceChangeDoc } from "../store/price-book-document.ts";

/** One price option before and after a change. */
export type PriceOptionValues = { readonly key: PriceKey; readonly before: string; readonly after: string };

/** The built-in prices before and after a change: what applies where an option has no entry. */
export type BuiltInPrices = { readonly before: FindBuiltIn; readonly after: FindBuiltIn };

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

type Row = Omit<PriceChangeDoc, "_id" | "actorId" | "actorName" | "createdAtSeconds">;

/** The entry of a model whose built-in price was removed states that it has none. */
const toPrice = (entry: string | undefined): string | undefined => (entry === "null" ? undefined : entry);

function toRow(key: PriceKey, { name, before, after }: PriceDifference, builtIn: BuiltInPrices): Row {
  const beneath = {
    before: before === undefined ? builtIn.before(key, name) : undefined,
    after: after === undefined ? builtIn.after(key, name) : undefined,
  };
  const [old, next] = [toPrice(before ?? beneath.before), toPrice(after ?? beneath.after)];
  return {
    key,
    name,
    ...(old === undefined ? {} : { before: old }),
    ...(next === undefined ? {} : { after: next }),
    ...(beneath.before === undefined ? {} : { isBuiltInBefore: true }),
    ...(beneath.after === undefined ? {} : { isBuiltInAfter: true }),
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
    /**
     * Writes every price that differs, in the transaction of the change. Where an option has no entry the built-in price is written,
     * and marked so.
     */
    async record(
      actor: Pick<Actor, "userId" | "username">,
      options: readonly PriceOptionValues[],
      { builtIn, session }: { readonly builtIn: BuiltInPrices; readonly session: ClientSession },
    ): Promise<void> {
      const rows = options.flatMap(({ key, before, after }) =>
        getPriceDifferences(before, after).map((difference) => toRow(key, difference, builtIn)),
      );
      if (rows.length === 0) return;
      const firstId = await allocateIds(connection, "price_changes", rows.length);
      const who = { actorId: actor.userId, actorName: actor.username, createdAtSeconds: nowSeconds() };
      const docs = rows.map((row, index): PriceChangeDoc => ({ _id: firstId + index, ...who, ...row }));
      await priceChanges.insertMany(docs, { session });
    },
    /** One page, newest first, with the total number of matching changes. */
    async list(request: ListPriceChangesRequest): Promise<{ items: PriceChangeDoc[]; total: number }> {
      const query = toQuery(request);
      const range = toPageRange(request, 1);
      const sort = { createdAtSeconds: -1, _id: -1 } as const;
      const bounded = { maxTimeMS: SEARCH_TIMEOUT_MS };
      const items = (): Promise<PriceChangeDoc[]> => priceChanges.find(query, { sort, ...range, ...bounded }).toArray();
      return readSearchPage({ items, count: () => priceChanges.countDocuments(query, bounded) }, range);
    },
  };
}
