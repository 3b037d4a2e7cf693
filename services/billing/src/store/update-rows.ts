import { databaseOf } from "@turnpike/shared/mongo/mongo";
import { type ClientSession, mongo } from "mongoose";

/** One row of an update command: the row with this id, changed, or made where there is none. */
export type RowUpdate<Doc extends mongo.Document> = {
  readonly _id: Doc["_id"];
  readonly change: mongo.UpdateFilter<Doc>;
  /** False: no row is made. */
  readonly upsert?: boolean;
};

/**
 * Changes rows one after the other, in one command of a transaction. The driver's bulkWrite measures every operation before it sends
 * it, which took a sixth of what booking costs this process; these are small, and far from the command's limits (100 000 operations,
 * 48 MB). Throws MongoServerError for the first that fails, with the transaction lost.
 */
export async function updateRows<Doc extends mongo.Document>(
  { collectionName }: mongo.Collection<Doc>,
  rows: readonly RowUpdate<Doc>[],
  session: ClientSession,
): Promise<void> {
  if (rows.length === 0) return;
  const updates = rows.map(({ _id, change, upsert = true }) => ({ q: { _id }, u: change, upsert }));
  const command = { update: collectionName, updates, ordered: true };
  const { writeErrors } = await databaseOf(session).command(command, { session });
  const [failed] = (writeErrors ?? []) as mongo.Document[];
  if (failed) throw new mongo.MongoServerError(failed);
}
