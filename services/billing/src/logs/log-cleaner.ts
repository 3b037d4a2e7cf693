import { LOG_TYPE } from "@turnpike/contract/codes";
import { isDuplicateKey } from "@turnpike/shared/mongo/mongo";
import { type Collections, POSTED_RECORD_TTL_MS } from "../store/collections.ts";
import { withIndexHint } from "../store/index-hint.ts";
import { LOG_TIME_INDEX } from "../store/indexes.ts";
import { getDayNumber } from "../store/calendar.ts";
import type { PostedRecordDoc } from "../store/usage-documents.ts";
import { ANY_LOG, CALL_TYPES } from "./log-filter.ts";
import { createLogReader } from "./log-reader.ts";
import type { LogState } from "./log-state.ts";

export type LogCleaner = ReturnType<typeof createLogCleaner>;

const BATCH_SIZE = 2_000;
/** How long one call deletes when the count is unknown, and when it is known. */
const CALL_MS = 45_000;
const COUNTED_CALL_MS = 5_000;
/** After each batch, pauses as long as the batch took, so that postings and pages get at least half of the time. */
const PAUSE_MS_MAX = 1_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Stores ids of records that may be redelivered. */
async function storePosted(
  { postedRecords }: Pick<Collections, "postedRecords">,
  docs: readonly PostedRecordDoc[],
): Promise<void> {
  if (docs.length === 0) return;
  try {
    await postedRecords.insertMany([...docs], { ordered: false });
  } catch (error) {
    // Already stored by a run that died before its delete; `ordered: false` stored the others.
    if (!isDuplicateKey(error)) throw error;
  }
}

/**
 * Deletes old rows of calls in small batches; rows about money and accounts stay. The ids of rows whose record could still be redelivered are stored, so that
 * deleting a row never lets a call be posted twice. Balances and hourly sums stay.
 */
export function createLogCleaner(deps: {
  collections: Pick<Collections, "logs" | "postedRecords" | "logTallies" | "rollups">;
  state: LogState;
  nowMs: () => number;
}) {
  const { logs, logTallies } = deps.collections;
  const nowSeconds = (): number => Math.floor(deps.nowMs() / 1000);
  const list = createLogReader({ ...deps, nowSeconds });

  const deleteBatch = async (beforeSeconds: number): Promise<number> => {
    const query = { createdAt: { $lt: beforeSeconds }, type: { $in: [...CALL_TYPES] } };
    const projection = { requestId: 1, type: 1, createdAt: 1 };
    const rows = await withIndexHint(LOG_TIME_INDEX, (hint) =>
      logs
        .find(query, { projection, ...hint })
        .sort({ createdAt: 1, _id: 1 })
        .limit(BATCH_SIZE)
        .toArray(),
    );
    if (rows.length === 0) return 0;
    const young = rows.flatMap(({ requestId, type, createdAt }) => {
      const expiresAt = new Date(createdAt * 1000 + POSTED_RECORD_TTL_MS);
      const isYoung = type === LOG_TYPE.consume && expiresAt.getTime() > deps.nowMs();
      return isYoung && requestId !== undefined ? [{ _id: requestId, expiresAt }] : [];
    });
    await storePosted(deps.collections, young);
    const { deletedCount } = await logs.deleteMany({ _id: { $in: rows.map(({ _id }) => _id) } });
    return deletedCount;
  };
  const deleteFor = async (beforeSeconds: number, durationMs: number): Promise<number> => {
    const untilMs = deps.nowMs() + durationMs;
    let deleted = 0;
    for (;;) {
      const beganAtMs = performance.now();
      const count = await deleteBatch(beforeSeconds);
      deleted += count;
      if (count < BATCH_SIZE) {
        await logTallies.deleteMany({ day: { $lt: getDayNumber(beforeSeconds) } });
        return deleted;
      }
      if (deps.nowMs() >= untilMs) return deleted;
      await pause(Math.min(PAUSE_MS_MAX, performance.now() - beganAtMs));
    }
  };
  return {
    /**
     * Deletes rows of calls before a time and returns how many: they leave every page and sum at once, and `sweep` finishes what
     * takes too long.
     */
    async delete(beforeSeconds: number): Promise<number> {
      const { isTallied } = await deps.state.read();
      const lists = await Promise.all(
        CALL_TYPES.map((type) => list({ ...ANY_LOG, type, endSeconds: beforeSeconds - 1 }, { skip: 0, limit: 1 })),
      );
      const total = lists.reduce((sum, each) => sum + each.total, 0);
      await deps.state.markDeleted(beforeSeconds);
      const deleted = await deleteFor(beforeSeconds, isTallied ? COUNTED_CALL_MS : CALL_MS);
      return isTallied ? total : deleted;
    },
    /** Continues what a call left unfinished. */
    async sweep(): Promise<void> {
      const { deletedBefore } = await deps.state.read();
      if (deletedBefore > 0) await deleteFor(deletedBefore, CALL_MS);
    },
  };
}
