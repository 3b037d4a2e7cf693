import { CHANNEL_STATUS } from "@turnpike/contract/limits";
import { AppError } from "@turnpike/shared/errors/app-error";
import { containing, QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import type { ClientSession, QueryFilter } from "mongoose";
import type { ChannelDoc, ChannelModel, RoutingRevisionModel } from "./channel-model.ts";

export type ChannelFilter = {
  readonly keyword: string;
  /** HMAC of the keyword, which may be a whole key. */
  readonly keywordHash: string;
  readonly group: string;
  readonly model: string;
  readonly idSort: boolean;
};
export type ChannelWrite = Partial<Omit<ChannelDoc, "_id" | "createdAtSeconds">>;
export type ChannelStore = ReturnType<typeof createChannelStore>;

const REVISION_ID = "routing";

function toQuery({ keyword, keywordHash, group, model }: ChannelFilter): QueryFilter<ChannelDoc> {
  const id = Number(keyword);
  const anyOf: QueryFilter<ChannelDoc>[] = [
    { name: containing(keyword) },
    { "keys.lookupHash": keywordHash },
    ...(Number.isSafeInteger(id) ? [{ _id: id }] : []),
  ];
  return {
    ...(keyword === "" ? {} : { $or: anyOf }),
    ...(group === "" ? {} : { groups: group }),
    ...(model === "" ? {} : { models: containing(model) }),
  };
}

/** The only file that knows where channels live. */
export function createChannelStore(deps: { channels: ChannelModel; revisions: RoutingRevisionModel }) {
  const { channels, revisions } = deps;
  return {
    /** One channel; throws channel_not_found. */
    async get(id: number, session?: ClientSession): Promise<ChannelDoc> {
      const found = await channels
        .findById(id, undefined, session === undefined ? {} : { session })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<ChannelDoc | null>();
      if (!found) throw new AppError("channel_not_found", `no channel ${id}`);
      return found;
    },
    /** One page with the number of all that match. */
    async list(filter: ChannelFilter, range: { skip: number; limit: number }) {
      const query = toQuery(filter);
      const [items, total] = await Promise.all([
        channels
          .find(query)
          .sort(filter.idSort ? { _id: -1 } : { priority: -1, _id: -1 })
          .skip(range.skip)
          .limit(range.limit)
          .maxTimeMS(QUERY_TIMEOUT_MS)
          .lean<ChannelDoc[]>(),
        channels.countDocuments(query).maxTimeMS(QUERY_TIMEOUT_MS),
      ]);
      return { items, total };
    },
    /** All that may be routed to. */
    listEnabled: (): Promise<ChannelDoc[]> =>
      channels
        .find({ status: CHANNEL_STATUS.enabled })
        .sort({ _id: 1 })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<ChannelDoc[]>()
        .exec(),
    async insert(doc: ChannelDoc, session: ClientSession): Promise<void> {
      await channels.create([doc], { session });
    },
    /** Writes on one channel and answers it after that; throws channel_not_found. */
    async update(id: number, set: ChannelWrite, session?: ClientSession): Promise<ChannelDoc> {
      const after = await channels
        .findOneAndUpdate(
          { _id: id },
          { $set: set },
          { returnDocument: "after", ...(session === undefined ? {} : { session }) },
        )
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<ChannelDoc | null>();
      if (!after) throw new AppError("channel_not_found", `no channel ${id}`);
      return after;
    },
    async remove(id: number, session: ClientSession): Promise<void> {
      await channels.deleteOne({ _id: id }, { session }).maxTimeMS(QUERY_TIMEOUT_MS);
    },
    /** How often the routing table has changed, 0 before the first change. */
    async revision(): Promise<number> {
      const doc = await revisions.findById(REVISION_ID).maxTimeMS(QUERY_TIMEOUT_MS).lean();
      return doc?.revision ?? 0;
    },
    /** Counts a change of the routing table, in its transaction. */
    async nextRevision(session: ClientSession): Promise<number> {
      const doc = await revisions
        .findOneAndUpdate(
          { _id: REVISION_ID },
          { $inc: { revision: 1 } },
          { session, upsert: true, returnDocument: "after" },
        )
        .lean();
      return doc.revision;
    },
  };
}
