import type { ClientSession } from "mongoose";
import { QUERY_TIMEOUT_MS } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { PriceBookDoc } from "../store/price-book-document.ts";

const ID = "prices";

export type PriceBookStore = ReturnType<typeof createPriceBookStore>;

/** Reads and writes the price book's document. */
export function createPriceBookStore({ priceBook }: Pick<Collections, "priceBook">) {
  return {
    /** The stored book as a majority of the replica set has it, undefined before the first one. */
    async read(): Promise<PriceBookDoc | undefined> {
      const options = { readConcern: { level: "majority" }, maxTimeMS: QUERY_TIMEOUT_MS } as const;
      return (await priceBook.findOne({ _id: ID }, options)) ?? undefined;
    },
    /** Reads the book to change it: another transaction on it aborts here, at its first step, and begins again. */
    async readLocked(session: ClientSession): Promise<PriceBookDoc | undefined> {
      const options = { session, returnDocument: "after", maxTimeMS: QUERY_TIMEOUT_MS } as const;
      return (await priceBook.findOneAndUpdate({ _id: ID }, { $inc: { locks: 1 } }, options)) ?? undefined;
    },
    async write(book: Omit<PriceBookDoc, "_id">, session: ClientSession): Promise<void> {
      await priceBook.replaceOne({ _id: ID }, book, { session, upsert: true });
    },
  };
}
