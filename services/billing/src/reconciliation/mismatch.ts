import type { mongo } from "mongoose";

/** A row that differs, with the ledger entries joined to it. */
export type Mismatch = { readonly _id: unknown; readonly entry?: { readonly amount: number }[] };

/** Reads the rows of a pipeline that differ, at most those shown. */
export type FindMismatches = <Found extends Mismatch>(
  collection: unknown,
  steps: readonly mongo.Document[],
) => Promise<Found[]>;
