import { LOG_TYPE } from "@turnpike/contract/limits";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import type { Collections } from "../store/collections.ts";
import type { BookedDoc } from "../store/documents.ts";
import { BOOKED_MS } from "../usage/booking.ts";
import type { LogState } from "./log-state.ts";

export type LogCleaner = ReturnType<typeof createLogCleaner>;

const BATCH_SIZE = 2_000;
/** How long one call deletes; what is left goes in the background. */
const CALL_MS = 45_000;

/**
 * Deletes old rows in small batches. The ids of rows young enough that their record could still come again are remembered, so that
 * deleting a row never lets a call be booked twice. Balances and hourly sums stay.
 */
export function createLogCleaner(deps: {
  collections: Pick<Collections, "logs" | "booked">;
  state: LogState;
  nowMs: () => number;
}) {
  const { logs, booked } = deps.collections;

  const remember = async (docs: readonly BookedDoc[]): Promise<void> => {
    if (docs.length === 0) return;
    try {
      await booked.insertMany([...docs], { ordered: false });
    } catch (error) {
      // Remembered already, by a run that died before its delete; `ordered: false` has kept the others.
      if (!isDuplicateKey(error)) throw error;
    }
  };
  const deleteBatch = async (beforeSeconds: number): Promise<number> => {
    const rows = await logs
      .find({ createdAt: { $lt: beforeSeconds } }, { projection: { requestId: 1, type: 1, createdAt: 1 } })
      .sort({ createdAt: 1 })
      .limit(BATCH_SIZE)
      .toArray();
    if (rows.length === 0) return 0;
    const young = rows.flatMap(({ requestId, type, createdAt }) => {
      const expiresAt = new Date(createdAt * 1000 + BOOKED_MS);
      const isYoung = type === LOG_TYPE.consume && expiresAt.getTime() > deps.nowMs();
      return isYoung && requestId !== undefined ? [{ _id: requestId, expiresAt }] : [];
    });
    await remember(young);
    const { deletedCount } = await logs.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
    return deletedCount;
  };
  const deleteFor = async (beforeSeconds: number, durationMs: number): Promise<number> => {
    const untilMs = deps.nowMs() + durationMs;
    let deleted = 0;
    for (;;) {
      const count = await deleteBatch(beforeSeconds);
      deleted += count;
      if (count === 0 || deps.nowMs() >= untilMs) return deleted;
    }
  };
  return {
    /** Deletes rows before a time and answers how many went; what takes too long is finished by `sweep`. */
    async delete(beforeSeconds: number): Promise<number> {
      await deps.state.markDeleted(beforeSeconds);
      return deleteFor(beforeSeconds, CALL_MS);
    },
    /** Goes on with what a call left over. */
    async sweep(): Promise<void> {
      const { deletedBefore } = await deps.state.read();
      if (deletedBefore > 0) await deleteFor(deletedBefore, CALL_MS);
    },
  };
}
