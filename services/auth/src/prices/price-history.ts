import type { ListPriceChangesRequest } from "@turnpike/proto/auth/v1/price_history_service";
import type { Actor } from "@turnpike/shared/grpc/context";
import { allocateIds } from "@turnpike/shared/mongo/mongo";
import { toSubstringPattern, QUERY_TIMEOUT_MS, toPageRange } from "@turnpike/shared/mongo/query";
import type { ClientSession, Connection, QueryFilter } from "mongoose";
import type { PriceChangeDoc, PriceChangeModel } from "./price-change-model.ts";
import { isPriceOption, priceDifferences } from "./price-diff.ts";

export type PriceHistory = ReturnType<typeof createPriceHistory>;

function toQuery({ name, key, startSeconds, endSeconds }: ListPriceChangesRequest): QueryFilter<PriceChangeDoc> {
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

/** Remembers each figure that a change of options made another one, and who did it. */
export function createPriceHistory(deps: { mongo: Connection; model: PriceChangeModel; nowSeconds: () => number }) {
  const { mongo, model, nowSeconds } = deps;
  return {
    /** Writes what differs, in the transaction of the change; options that are no prices leave nothing. */
    async record(
      actor: Actor,
      change: { readonly key: string; readonly before: string; readonly after: string },
      session: ClientSession,
    ): Promise<void> {
      const { key, before, after } = change;
      const differences = isPriceOption(key) ? priceDifferences(before, after) : [];
      if (differences.length === 0) return;
      const firstId = await allocateIds(mongo, "price_changes", differences.length);
      const who = { actorId: actor.userId, actorName: actor.username, createdAtSeconds: nowSeconds(), key };
      const docs = differences.map((difference, index) => ({ _id: firstId + index, ...who, ...difference }));
      await model.insertMany(docs, { session });
    },
    /** One page, newest first, with the number of all changes that match. */
    async list(request: ListPriceChangesRequest): Promise<{ items: PriceChangeDoc[]; total: number }> {
      const query = toQuery(request);
      const { skip, limit } = toPageRange(request, 1);
      const [items, total] = await Promise.all([
        model
          .find(query)
          .sort({ createdAtSeconds: -1, _id: -1 })
          .skip(skip)
          .limit(limit)
          .maxTimeMS(QUERY_TIMEOUT_MS)
          .lean<PriceChangeDoc[]>(),
        model.countDocuments(query).maxTimeMS(QUERY_TIMEOUT_MS),
      ]);
      return { items, total };
    },
  };
}
