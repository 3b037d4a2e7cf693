import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { ClientSession } from "mongoose";
import { type Collections, POSTED_RECORD_TTL_MS } from "../store/collections.ts";
import { isReplaceable } from "./usage-corrections.ts";
import type { PostedCharge } from "../store/usage-documents.ts";
import type { StateDoc } from "../store/job-documents.ts";

const FIND_TIMEOUT_MS = 10_000;

/** The ids that are posted, and the records among them that a better one replaces. */
type Posted = { readonly ids: Set<string>; readonly replaceable: Map<string, UsageRecord> };

/** Tasks are what may be refunded. */
const isTask = ({ other }: UsageRecord): boolean => other.includes('"task_platform"');

const toCharge = ({ cost, ...record }: UsageRecord): PostedCharge => ({
  createdAtSeconds: record.createdAtSeconds,
  userId: record.userId,
  channelId: record.channelId,
  group: record.group,
  modelName: record.modelName,
  quota: record.quota,
  ...(cost === undefined ? {} : { cost }),
});

/** Which records are posted, read and written in the transaction of a posting. */
export function createPostedRecords(deps: {
  collections: Pick<Collections, "logs" | "postedRecords" | "state">;
  nowMs: () => number;
}) {
  const { logs, postedRecords, state } = deps.collections;
  return {
    /** Posted ids, with a log row or, as far as `isLogSought` is false, without. */
    async find(ids: readonly string[], session: ClientSession, isLogSought: boolean): Promise<Posted> {
      const options = { session, maxTimeMS: FIND_TIMEOUT_MS };
      const known = await postedRecords
        .find({ _id: { $in: [...ids] } }, { ...options, projection: { expiresAt: 0 } })
        .toArray();
      const rows = isLogSought
        ? await logs
            .find({ requestId: { $in: [...ids] } }, { ...options, projection: { _id: 0, requestId: 1 } })
            .toArray()
        : [];
      const logged = new Set(rows.map(({ requestId }) => requestId ?? ""));
      return {
        ids: new Set([...logged, ...known.map(({ _id }) => _id)]),
        replaceable: new Map(
          known.flatMap(({ _id, estimate }) => {
            // The row next to a released record is the charge, posted by another replica at the same time.
            const isCharged = estimate?.released === true && logged.has(_id);
            return estimate && !isCharged ? [[_id, estimate]] : [];
          }),
        ),
      };
    },
    /** Remembers records without a row, and those that the relay's own record may still replace. */
    async remember(records: readonly UsageRecord[], session: ClientSession): Promise<void> {
      if (records.length === 0) return;
      const expiresAt = new Date(deps.nowMs() + POSTED_RECORD_TTL_MS);
      await postedRecords.insertMany(
        records.map((record) => ({
          _id: record.requestId,
          expiresAt,
          ...(isReplaceable(record) ? { estimate: record } : {}),
          ...(isTask(record) ? { charge: toCharge(record) } : {}),
        })),
        { session },
      );
    },
    /** Marks that the log lacks rows of posted calls. */
    async markUnlogged(session: ClientSession): Promise<void> {
      const id: StateDoc["_id"] = "logs";
      const marked = await state.findOne({ _id: id, hasUnlogged: true }, { session, maxTimeMS: FIND_TIMEOUT_MS });
      if (!marked) await state.updateOne({ _id: id }, { $set: { hasUnlogged: true } }, { session, upsert: true });
    },
  };
}
