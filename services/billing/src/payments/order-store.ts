import { AppError } from "@turnpike/shared/errors/app-error";
import { allocateIds } from "@turnpike/shared/mongo/mongo";
import type { ListOrdersRequest } from "@turnpike/proto/billing/v1/payment_service";
import { readSearchPage, SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { ClientSession, Connection, mongo } from "mongoose";
import { QUERY_TIMEOUT_MS, SKIP_MAX, toPrefixPattern, toPageRange } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { OrderDoc, OrderReceipt } from "../store/payment-documents.ts";

export type OrderStore = ReturnType<typeof createOrderStore>;
/**
 * `mismatched`: the provider reported another amount, and an administrator must decide. `refunded`: credits were taken
 * back. `returned`: a payment that was never credited goes back to the payer.
 */
export type OrderStatus = "pending" | "paid" | "failed" | "expired" | "mismatched" | "refunded" | "returned";

/** The states in which an order can still be credited. */
export const CREDITABLE: readonly OrderStatus[] = ["pending", "expired", "failed", "mismatched"];
const RECEIPTS_MAX = 20;

const bounded = { maxTimeMS: QUERY_TIMEOUT_MS };
const searching = { maxTimeMS: SEARCH_TIMEOUT_MS };

function toFilter(request: ListOrdersRequest): mongo.Filter<OrderDoc> {
  const { userId, keyword, status, provider, startSeconds, endSeconds } = request;
  const words = keyword.trim();
  const isId = /^\d{1,15}$/.test(words);
  const anyOf = [
    { tradeNo: toPrefixPattern(words) },
    { username: words },
    ...(isId ? [{ userId: Number(words) }] : []),
    // As the audit log names an order.
    ...(/^#\d{1,15}$/.test(words) ? [{ _id: Number(words.slice(1)) }] : []),
  ];
  return {
    ...(userId > 0 ? { userId } : {}),
    ...(words === "" ? {} : { $or: anyOf }),
    ...(status === "" ? {} : { status }),
    ...(provider === "" ? {} : { provider }),
    ...(startSeconds > 0 || endSeconds > 0
      ? { createdAt: { $gte: startSeconds, ...(endSeconds > 0 ? { $lte: endSeconds } : {}) } }
      : {}),
  };
}

/** The only file that accesses stored orders. */
export function createOrderStore(deps: { connection: Connection; collections: Collections }) {
  const { orders } = deps.collections;
  return {
    async insert(order: Omit<OrderDoc, "_id">): Promise<OrderDoc> {
      const doc = { _id: await allocateIds(deps.connection, "orders"), ...order };
      await orders.insertOne(doc, bounded);
      return doc;
    },
    async get(id: number): Promise<OrderDoc> {
      const order = await orders.findOne({ _id: id }, bounded);
      if (!order) throw new AppError("order_not_found", `no order ${id}`);
      return order;
    },
    find: async (tradeNo: string, session?: ClientSession): Promise<OrderDoc | undefined> =>
      (await orders.findOne({ tradeNo }, session ? { session } : bounded)) ?? undefined,
    /** Updates an order that is in one of these states; undefined when it is in none of them. */
    move: async (
      id: number,
      change: { from: readonly OrderStatus[]; set: Partial<OrderDoc> },
      session?: ClientSession,
    ): Promise<OrderDoc | undefined> =>
      (await orders.findOneAndUpdate(
        { _id: id, status: { $in: [...change.from] } },
        { $set: change.set },
        { ...(session ? { session } : bounded), returnDocument: "after" },
      )) ?? undefined,
    /**
     * Adds a payment that was not credited, once, and lets an order that nothing was credited for wait for a decision;
     * undefined for a repeat.
     */
    async addReceipt(id: number, receipt: OrderReceipt): Promise<OrderDoc | undefined> {
      const { reference, moneyCents } = receipt;
      const isNew = { receipts: { $not: { $elemMatch: { reference, moneyCents } } } };
      const push = { $push: { receipts: { $each: [receipt], $slice: -RECEIPTS_MAX } } };
      const add = async (status: mongo.Condition<string>, set?: Partial<OrderDoc>) =>
        (await orders.findOneAndUpdate(
          { _id: id, status, ...isNew },
          { ...push, ...(set ? { $set: set } : {}) },
          { ...bounded, returnDocument: "after" },
        )) ?? undefined;
      return (await add({ $in: [...CREDITABLE] }, { status: "mismatched" })) ?? add({ $nin: [...CREDITABLE] });
    },
    /** One page, newest first. */
    async list(request: ListOrdersRequest): Promise<{ items: OrderDoc[]; total: number }> {
      const which = toFilter(request);
      const range = toPageRange(request, 1);
      const items = (): Promise<OrderDoc[]> =>
        orders.find(which, searching).sort({ _id: -1 }).skip(range.skip).limit(range.limit).toArray();
      const count = (): Promise<number> => orders.countDocuments(which, { ...searching, limit: SKIP_MAX });
      return readSearchPage({ items, count }, range);
    },
    /** Expires unpaid orders; returns how many. */
    async expire(beforeSeconds: number): Promise<number> {
      const which = { status: "pending", createdAt: { $lt: beforeSeconds } };
      return (await orders.updateMany(which, { $set: { status: "expired" } }, { maxTimeMS: 10_000 })).modifiedCount;
    },
  };
}
