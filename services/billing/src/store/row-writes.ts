import { getDatabase } from "@turnpike/shared/mongo/mongo";
import { type ClientSession, mongo } from "mongoose";

/** One row of an update command: updates the row with this id, or inserts it. */
export type RowUpdate<Doc extends mongo.Document> = {
  readonly _id: Doc["_id"];
  readonly change: mongo.UpdateFilter<Doc>;
  /** False: does not insert. */
  readonly upsert?: boolean;
};

function failFirst({ writeErrors }: mongo.Document): void {
  const [failed] = (writeErrors ?? []) as mongo.Document[];
  if (failed) throw new mongo.MongoServerError(failed);
}

/**
 * Updates rows in order, in one command of a transaction. The driver's bulkWrite measures every operation before
 * sending, which took a sixth of this process's posting cost; these operations are small, and far from the command's
 * limits (100 000 operations, 48 MB). Throws MongoServerError for the first that fails, with the transaction aborted.
 */
export async function updateRows<Doc extends mongo.Document>(
  { collectionName }: mongo.Collection<Doc>,
  rows: readonly RowUpdate<Doc>[],
  session: ClientSession,
): Promise<void> {
  if (rows.length === 0) return;
  const updates = rows.map(({ _id, change, upsert = true }) => ({ q: { _id }, u: change, upsert }));
  const command = { update: collectionName, updates, ordered: true };
  failFirst(await getDatabase(session).command(command, { session }));
}

/** One command may hold 16 MB. */
const COMMAND_BYTES_MAX = 8_000_000;
const ROW_BYTES = 1_000;
/** A character takes three bytes at most. */
const CHARACTER_BYTES = 3;

const findTexts = (row: mongo.Document): number =>
  Object.values(row).reduce<number>((sum, value) => sum + (typeof value === "string" ? value.length : 0), 0);

/**
 * Inserts rows in one command of a transaction: the driver's insertMany measures every row before sending, too. Falls
 * back to it where the rows may not fit into one command. Throws MongoServerError for the first that fails, with the
 * transaction aborted.
 */
export async function insertRows<Doc extends mongo.Document>(
  collection: mongo.Collection<Doc>,
  rows: readonly Doc[],
  session: ClientSession,
): Promise<void> {
  if (rows.length === 0) return;
  const bytes = rows.reduce((sum, row) => sum + ROW_BYTES + findTexts(row) * CHARACTER_BYTES, 0);
  if (bytes > COMMAND_BYTES_MAX) {
    await collection.insertMany(rows as mongo.OptionalUnlessRequiredId<Doc>[], { session });
    return;
  }
  const command = { insert: collection.collectionName, documents: rows, ordered: true };
  failFirst(await getDatabase(session).command(command, { session }));
}
