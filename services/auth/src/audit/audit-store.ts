import { takeNumbers } from "@turnpike/shared/mongo/mongo";
import { containing, QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { ClientSession, Connection, QueryFilter } from "mongoose";
import type { AuditDoc, AuditModel } from "./audit-model.ts";

export type AuditRow = Omit<AuditDoc, "_id">;
export type AuditFilter = {
  readonly actor: string;
  readonly action: string;
  readonly keyword: string;
  readonly startSeconds: number;
  readonly endSeconds: number;
};
export type PageRange = { readonly skip: number; readonly limit: number };
export type AuditStore = ReturnType<typeof createAuditStore>;

/** Before and after are for people; a table of any size is cut here. */
const TEXT_LENGTH_MAX = 16_384;
const cut = (text: string): string => (text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text);

function toQuery(filter: AuditFilter): QueryFilter<AuditDoc> {
  const pattern = containing(filter.keyword);
  const range = {
    ...(filter.startSeconds > 0 ? { $gte: filter.startSeconds } : {}),
    ...(filter.endSeconds > 0 ? { $lte: filter.endSeconds } : {}),
  };
  return {
    ...(filter.actor === "" ? {} : { actorName: filter.actor }),
    ...(filter.action === "" ? {} : { action: filter.action }),
    ...(filter.keyword === "" ? {} : { $or: [{ target: pattern }, { before: pattern }, { after: pattern }] }),
    ...(Object.keys(range).length === 0 ? {} : { createdAtSeconds: range }),
  };
}

/** The only file that knows where audit rows live. */
export function createAuditStore(deps: { mongo: Connection; model: AuditModel }) {
  const { mongo, model } = deps;
  return {
    /** Keeps one row; with a session, in its transaction. */
    async insert(row: AuditRow, session?: ClientSession): Promise<void> {
      const id = await takeNumbers(mongo, "audit");
      const doc = { ...row, before: cut(row.before), after: cut(row.after), _id: id };
      await model.create([doc], session === undefined ? {} : { session });
    },
    /** One page, newest first, with the number of all rows that match. */
    async list(filter: AuditFilter, range: PageRange): Promise<{ items: AuditDoc[]; total: number }> {
      const query = toQuery(filter);
      const [items, total] = await Promise.all([
        model
          .find(query)
          .sort({ createdAtSeconds: -1, _id: -1 })
          .skip(range.skip)
          .limit(range.limit)
          .maxTimeMS(QUERY_TIMEOUT_MS)
          .lean<AuditDoc[]>(),
        model.countDocuments(query).maxTimeMS(QUERY_TIMEOUT_MS),
      ]);
      return { items, total };
    },
  };
}
