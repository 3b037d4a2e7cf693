import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import { AppError } from "@turnpike/shared/errors/app-error";
import { toSubstringPattern, QUERY_TIMEOUT_MS } from "@turnpike/shared/mongo/query";
import { createRevision, type RevisionModel } from "@turnpike/shared/mongo/revision";
import { readSearchPage, SEARCH_TIMEOUT_MS, withSearchTimeout } from "@turnpike/shared/mongo/search";
import type { ClientSession, QueryFilter } from "mongoose";
import type { ChannelDoc, ChannelModel } from "./channel-model.ts";

export type ChannelFilter = {
  readonly keyword: string;
  /** HMAC of the keyword, which may be a full key. */
  readonly keywordHash: string;
  readonly group: string;
  readonly model: string;
  /** "" for any. */
  readonly tag: string;
  readonly idSort: boolean;
};
/** The channels that a bulk change selects. */
export type ChannelSelection =
  | { readonly ids: readonly number[] }
  | { readonly tag: string }
  | { readonly statuses: readonly number[] };
export type ChannelWrite = Partial<Omit<ChannelDoc, "_id" | "createdAtSeconds">>;
export type ChannelStore = ReturnType<typeof createChannelStore>;

const REVISION_ID = "routing";
/** A page of tags contains at most this many channels. */
const TAG_PAGE_CHANNELS_MAX = 1_000;
/** The channels a run may cover; "put-out" are those that the system disabled, fully or by some keys. */
export type ChannelKind = "all" | "enabled" | "put-out" | "resellers";
const KIND_QUERIES: Readonly<Record<ChannelKind, QueryFilter<ChannelDoc>>> = {
  all: {},
  enabled: { status: CHANNEL_STATUS.enabled },
  resellers: { status: CHANNEL_STATUS.enabled, cost: /"source"\s*:\s*"reseller"/ },
  "put-out": {
    $or: [
      { status: CHANNEL_STATUS.autoDisabled },
      { status: CHANNEL_STATUS.enabled, "keys.disabledAtSeconds": { $gt: 0 } },
    ],
  },
};
const BULK_TIMEOUT_MS = 10_000;

const toSort = (idSort: boolean): Record<string, -1> => (idSort ? { _id: -1 } : { priority: -1, _id: -1 });

function toSelection(selection: ChannelSelection): QueryFilter<ChannelDoc> {
  if ("ids" in selection) return { _id: { $in: [...selection.ids] } };
  return "tag" in selection ? { tag: selection.tag } : { status: { $in: [...selection.statuses] } };
}

function toQuery({ keyword, keywordHash, group, model, tag }: ChannelFilter): QueryFilter<ChannelDoc> {
  const id = Number(keyword);
  const anyOf: QueryFilter<ChannelDoc>[] = [
    { name: toSubstringPattern(keyword) },
    { "keys.lookupHash": keywordHash },
    ...(Number.isSafeInteger(id) ? [{ _id: id }] : []),
  ];
  return {
    ...(keyword === "" ? {} : { $or: anyOf }),
    ...(group === "" ? {} : { groups: group }),
    ...(model === "" ? {} : { models: toSubstringPattern(model) }),
    ...(tag === "" ? {} : { tag }),
  };
}

/** Whether the keyword is the channel's name, in any case, or its id. Names are not unique. */
const toExactTest = (keyword: string) => ({
  $or: [
    { $eq: [{ $toLower: "$name" }, { $toLower: { $literal: keyword } }] },
    { $eq: [{ $toString: "$_id" }, { $literal: keyword }] },
  ],
});

/** Channels as administrators see them: one, a page, a page of tags. */
function createChannelQueries(channels: ChannelModel) {
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
    /** One page, channels with exactly the keyword as name or id first, with the total number of matches. */
    async list(filter: ChannelFilter, range: { skip: number; limit: number }) {
      const query = toQuery(filter);
      const items = (): Promise<ChannelDoc[]> =>
        channels
          .aggregate<ChannelDoc>([
            { $match: query },
            ...(filter.keyword === "" ? [] : [{ $set: { isExact: toExactTest(filter.keyword) } }]),
            { $sort: { ...(filter.keyword === "" ? {} : { isExact: -1 as const }), ...toSort(filter.idSort) } },
            { $skip: range.skip },
            { $limit: range.limit },
            { $unset: "isExact" },
          ])
          .option({ maxTimeMS: SEARCH_TIMEOUT_MS })
          .exec();
      const count = (): Promise<number> => channels.countDocuments(query).maxTimeMS(SEARCH_TIMEOUT_MS).exec();
      return readSearchPage({ items, count }, range);
    },
    /** One page of the tags of matching channels, as all channels of these tags, and the number of tags. */
    async listTagged(filter: ChannelFilter, range: { skip: number; limit: number }) {
      const query = { $and: [toQuery(filter), { tag: { $ne: "" } }] };
      const found = await withSearchTimeout(() => channels.distinct("tag", query).maxTimeMS(SEARCH_TIMEOUT_MS).exec());
      const tags = found.toSorted();
      const items = await channels
        .find({ tag: { $in: tags.slice(range.skip, range.skip + range.limit) } })
        .sort({ tag: 1, ...toSort(filter.idSort) })
        .limit(TAG_PAGE_CHANNELS_MAX)
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<ChannelDoc[]>();
      return { items, total: tags.length };
    },
  };
}

/** Channels as the service works on them: those of a bulk change, of a run and of the routing table. */
function createChannelSets(channels: ChannelModel) {
  return {
    /** The channels that a bulk change selects, oldest first, at most `limit`. */
    select: (selection: ChannelSelection, limit: number, session: ClientSession): Promise<ChannelDoc[]> =>
      channels
        .find(toSelection(selection), undefined, { session })
        .sort({ _id: 1 })
        .limit(limit)
        .maxTimeMS(BULK_TIMEOUT_MS)
        .lean<ChannelDoc[]>()
        .exec(),
    /** Up to `limit` channels with numbers above `after`, in order. */
    listAfter: (after: number, limit: number, kind: ChannelKind = "all"): Promise<ChannelDoc[]> =>
      channels
        .find({ $and: [{ _id: { $gt: after } }, KIND_QUERIES[kind]] })
        .sort({ _id: 1 })
        .limit(limit)
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<ChannelDoc[]>()
        .exec(),
    count: (kind: ChannelKind): Promise<number> =>
      channels.countDocuments(KIND_QUERIES[kind]).maxTimeMS(QUERY_TIMEOUT_MS).exec(),
    /** All enabled channels. */
    listEnabled: (): Promise<ChannelDoc[]> =>
      channels
        .find({ status: CHANNEL_STATUS.enabled })
        .sort({ _id: 1 })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<ChannelDoc[]>()
        .exec(),
    /** The numbers of all channels with this report key, or with any, oldest first. */
    listReported: (lookupHash?: string): Promise<Pick<ChannelDoc, "_id" | "reportKey">[]> =>
      channels
        .find({ "reportKey.lookupHash": lookupHash ?? { $exists: true } }, { reportKey: 1 })
        .sort({ _id: 1 })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<Pick<ChannelDoc, "_id" | "reportKey">[]>()
        .exec(),
    /** Disabled channels, with their models. */
    listDisabled: (): Promise<Pick<ChannelDoc, "_id" | "models" | "modelPrefix">[]> =>
      channels
        .find({ status: { $ne: CHANNEL_STATUS.enabled } }, { models: 1, modelPrefix: 1 })
        .sort({ _id: 1 })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<Pick<ChannelDoc, "_id" | "models" | "modelPrefix">[]>()
        .exec(),
    /** What the channels that the system disabled would serve. */
    listAutoDisabled: (): Promise<Pick<ChannelDoc, "_id" | "groups" | "models" | "modelPrefix">[]> =>
      channels
        .find({ status: CHANNEL_STATUS.autoDisabled }, { groups: 1, models: 1, modelPrefix: 1 })
        .sort({ _id: 1 })
        .maxTimeMS(QUERY_TIMEOUT_MS)
        .lean<Pick<ChannelDoc, "_id" | "groups" | "models" | "modelPrefix">[]>()
        .exec(),
  };
}

function createChannelWrites(channels: ChannelModel) {
  return {
    async insert(doc: ChannelDoc, session: ClientSession): Promise<void> {
      await channels.create([doc], { session });
    },
    /** Updates one channel and returns the updated channel; throws channel_not_found. */
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
    async updateMany(writes: readonly { id: number; set: ChannelWrite }[], session: ClientSession): Promise<void> {
      if (writes.length === 0) return;
      await channels.bulkWrite(
        writes.map(({ id, set }) => ({ updateOne: { filter: { _id: id }, update: { $set: set } } })),
        { session, ordered: false },
      );
    },
    async removeMany(ids: readonly number[], session: ClientSession): Promise<void> {
      await channels.deleteMany({ _id: { $in: [...ids] } }, { session }).maxTimeMS(BULK_TIMEOUT_MS);
    },
  };
}

/** The only file that accesses stored channels. */
export const createChannelStore = (deps: { channels: ChannelModel; revisions: RevisionModel }) => ({
  ...createChannelQueries(deps.channels),
  ...createChannelSets(deps.channels),
  ...createChannelWrites(deps.channels),
  ...createRevision(deps.revisions, REVISION_ID),
});
