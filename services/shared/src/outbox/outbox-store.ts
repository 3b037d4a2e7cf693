import type { ClientSession, mongo as driver } from "mongoose";
import { QUERY_TIMEOUT_MS } from "../mongo/query.ts";

/** Fields of every row of an outbox, in addition to the content to deliver and the time at which it is due. */
export type OutboxRow = {
  readonly _id: string | number;
  /**
   * How often it was claimed. It also distinguishes two claims of a row: the holder of an older one can no longer
   * change it.
   */
  readonly attempts: number;
};

/** The field that holds when a row is due, as milliseconds or as a date. */
type DueField = { readonly name: string; readonly toValue: (ms: number) => number | Date };

export type OutboxStore<Row extends OutboxRow> = ReturnType<typeof createOutboxStore<Row>>;

const MS_FIELD: DueField = { name: "nextAttemptAtMs", toValue: (ms) => ms };

/** A due field that holds dates. */
export const toDateField = (name: string): DueField => ({ name, toValue: (ms) => new Date(ms) });

/**
 * The rows of an outbox in MongoDB, and which replica delivers which. A claim is a lease: it moves the time at which the row is due, so
 * that others take the row over when its replica dies. Rows without that time are due.
 */
export function createOutboxStore<Row extends OutboxRow>(deps: {
  collection: driver.Collection<Row>;
  /** Selects the rows that wait, where a delivered row stays in the collection. */
  waiting?: driver.Filter<Row>;
  due?: DueField;
  nowMs?: () => number;
}) {
  const { waiting = {}, due = MS_FIELD, nowMs = Date.now } = deps;
  // The due field is known by its name only.
  const collection = deps.collection as unknown as driver.Collection<driver.Document & OutboxRow>;
  const dueIn = (ms: number) => ({ [due.name]: due.toValue(nowMs() + ms) });
  const claimed = ({ _id, attempts }: OutboxRow) => ({ _id, attempts });
  const bounded = { maxTimeMS: QUERY_TIMEOUT_MS };
  return {
    /** Adds rows that are due now; with a session, in the transaction of what caused them. */
    async add(rows: readonly Omit<Row, "attempts" | "nextAttemptAtMs">[], session?: ClientSession): Promise<void> {
      const docs = rows.map((row) => ({ ...row, attempts: 0, ...dueIn(0) }));
      if (docs.length === 0) return;
      await collection.insertMany(docs as unknown as (driver.Document & OutboxRow)[], session ? { session } : bounded);
    },
    /** Claims the row that is due for longest, or the given one, due or not; undefined when there is none. */
    async claim(leaseMs: number, id?: Row["_id"]): Promise<Row | undefined> {
      const which = id === undefined ? { [due.name]: { $not: { $gt: due.toValue(nowMs()) } } } : { _id: id };
      const row = await collection.findOneAndUpdate(
        { ...waiting, ...which },
        { $set: dueIn(leaseMs), $inc: { attempts: 1 } },
        { sort: { [due.name]: 1 }, returnDocument: "after", ...bounded },
      );
      return (row as Row | null) ?? undefined;
    },
    /** Makes a claimed row due after a pause. */
    async postpone(row: Row, pauseMs: number, set: Partial<Row> = {}): Promise<void> {
      await collection.updateOne(claimed(row), { $set: { ...set, ...dueIn(pauseMs) } }, bounded);
    },
    /** Changes a claimed row so that it waits no longer. */
    async settle(row: Row, update: driver.UpdateFilter<Row>): Promise<void> {
      await collection.updateOne(claimed(row), update as driver.UpdateFilter<driver.Document & OutboxRow>, bounded);
    },
    async remove(row: Row): Promise<void> {
      await collection.deleteOne(claimed(row), bounded);
    },
    /** Creates the index of `claim`, for collections that no migration knows. */
    async createIndex(): Promise<void> {
      await collection.createIndex({ [due.name]: 1 }, { name: "find_due" });
    },
  };
}
