import { isDuplicateKey, allocateIds } from "@turnpike/shared/mongo/mongo";
import { toSubstringPattern, QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import { readSearchPage, SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
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

/** Before and after are for display only; longer values are truncated here. */
const TEXT_LENGTH_MAX = 16_384;
const cut = (text: string): string => (text.length > TEXT_LENGTH_MAX ? `${text.slice(0, TEXT_LENGTH_MAX)}…` : text);

/** Matches by exact name or by id. A name may also be a number. */
function toActorQuery(actor: string): QueryFilter<AuditDoc> {
  if (actor === "") return {};
  const id = Number(actor);
  // Uses $and because the keyword has its own $or.
  return Number.isSafeInteger(id) ? { $and: [{ $or: [{ actorName: actor }, { actorId: id }] }] } : { actorName: actor };
}

/** Matches the exact name, or every name with the prefix when the filter ends in a dot. */
function toActionQuery(action: string): QueryFilter<AuditDoc> {
  if (action === "") return {};
  return { action: action.endsWith(".") ? { $gte: action, $lt: `${action.slice(0, -1)}/` } : action };
}

function toQuery(filter: AuditFilter): QueryFilter<AuditDoc> {
  const pattern = toSubstringPattern(filter.keyword);
  const range = {
    ...(filter.startSeconds > 0 ? { $gte: filter.startSeconds } : {}),
    ...(filter.endSeconds > 0 ? { $lte: filter.endSeconds } : {}),
  };
  return {
    ...toActorQuery(filter.actor),
    ...toActionQuery(filter.action),
    ...(filter.keyword === "" ? {} : { $or: [{ target: pattern }, { before: pattern }, { after: pattern }] }),
    ...(Object.keys(range).length === 0 ? {} : { createdAtSeconds: range }),
  };
}

/** The only file that accesses stored audit rows. */
export function createAuditStore(deps: { mongo: Connection; model: AuditModel }) {
  const { mongo, model } = deps;
  const insert = async (row: AuditRow, session?: ClientSession): Promise<void> => {
    const id = await allocateIds(mongo, "audit");
    const doc = { ...row, before: cut(row.before), after: cut(row.after), _id: id };
    await model.create([doc], session === undefined ? {} : { session });
  };
  return {
    /** Stores one row; with a session, in its transaction. */
    insert,
    /** Stores a row of another service unless it exists. */
    async insertOnce(row: AuditRow & { sourceId: string }): Promise<void> {
      if (await model.exists({ sourceId: row.sourceId }).maxTimeMS(QUERY_TIMEOUT_MS)) return;
      try {
        await insert(row);
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
      }
    },
    /** One page, newest first, with the total number of matching rows. */
    async list(filter: AuditFilter, range: PageRange): Promise<{ items: AuditDoc[]; total: number }> {
      const query = toQuery(filter);
      const items = (): Promise<AuditDoc[]> =>
        model
          .find(query)
          .sort({ createdAtSeconds: -1, _id: -1 })
          .skip(range.skip)
          .limit(range.limit)
          .maxTimeMS(SEARCH_TIMEOUT_MS)
          .lean<AuditDoc[]>()
          .exec();
      const count = (): Promise<number> => model.countDocuments(query).maxTimeMS(SEARCH_TIMEOUT_MS).exec();
      return readSearchPage({ items, count }, range);
    },
  };
}
