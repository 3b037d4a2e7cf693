import type { ClientSession } from "mongoose";
import { QUERY_TIMEOUT_MS } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";

export type LogState = ReturnType<typeof createLogState>;

export type LogGaps = {
  /** Rows of served and failed calls before this second are deleted or will be. */
  readonly deletedBefore: number;
  readonly hasUnlogged: boolean;
  /** True when the tallies cover every row. */
  readonly isTallied: boolean;
  /** True when they also cover models, channels and groups combined. */
  readonly isCrossTallied: boolean;
};

/** Known gaps in the log: calls deleted on purpose, and calls that never had one. */
export function createLogState({ state }: Pick<Collections, "state">) {
  return {
    async read(session?: ClientSession): Promise<LogGaps> {
      const doc = await state.findOne(
        { _id: "logs" },
        { maxTimeMS: QUERY_TIMEOUT_MS, ...(session ? { session } : {}) },
      );
      return {
        deletedBefore: doc?.deletedBefore ?? 0,
        hasUnlogged: doc?.hasUnlogged ?? false,
        isTallied: doc?.isTallied ?? false,
        isCrossTallied: doc?.isCrossTallied ?? false,
      };
    },
    async markDeleted(beforeSeconds: number): Promise<void> {
      await state.updateOne({ _id: "logs" }, { $max: { deletedBefore: beforeSeconds } }, { upsert: true });
    },
  };
}
