import { LOG_TYPE } from "@turnpike/contract/codes";
import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import { SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { mongo } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { RollupDoc, TallyDim, TallyDoc } from "../store/sum-documents.ts";
import { LOG_WIDE_INDEX, getLogIndex } from "../store/indexes.ts";
import {
  toHourCounts,
  sumTalliesByHour,
  toDayCondition,
  type HourCount,
  mergeHourCounts,
  sumTalliesByMinute,
  type MinuteCount,
} from "./log-counts.ts";
import type { SecondRange } from "./time-range.ts";
import type { LogGaps } from "./log-state.ts";
import { minutesIds } from "./log-tallies.ts";

/** One condition of a filter, or several that are counted together. */
export type Dimension = {
  readonly index: string;
  /** True when the index covers every field of a filter. */
  readonly isWide?: true;
  readonly read: () => Promise<HourCount[]>;
  /** Rows of an hour by minute, newest first. */
  readonly minutes?: (hour: number) => Promise<MinuteCount[]>;
};
/** A filter with its full time range and the models that it matches. */
export type LogQuery = {
  readonly filter: LogFilter;
  readonly range: SecondRange;
  readonly models: readonly string[] | undefined;
};

const isUser = ({ userId, username }: LogFilter): boolean => userId > 0 || username !== "";
const toUserFilter = ({ userId, username }: LogFilter) => ({
  ...(userId > 0 ? { userId } : {}),
  ...(username === "" ? {} : { username }),
});

/** Sums of tallies, hour by hour and minute by minute. */
function createTallyReader({ logTallies }: Pick<Collections, "logTallies">) {
  const tallied = async (which: mongo.Filter<TallyDoc>, { filter, range }: LogQuery): Promise<HourCount[]> => {
    const docs = await logTallies
      .find(
        { ...which, day: toDayCondition(range) },
        { maxTimeMS: SEARCH_TIMEOUT_MS, projection: { day: 1, rows: 1, quota: 1 } },
      )
      .toArray();
    return sumTalliesByHour(docs, filter.type);
  };
  const minutesFor =
    (dim: TallyDim, values: readonly string[], { filter }: LogQuery) =>
    async (hour: number): Promise<MinuteCount[]> => {
      const minutes = { _id: { $in: minutesIds(hour, dim, values) } };
      const docs = await logTallies
        .find(minutes, { maxTimeMS: SEARCH_TIMEOUT_MS, projection: { rows: 1, quota: 1 } })
        .toArray();
      return sumTalliesByMinute(docs, hour, filter.type);
    };
  return { tallied, minutesFor };
}

/** Reads a user's rows of models: consumption from the hourly sums, others from tallies. */
function createUserModelReader(
  { rollups }: Pick<Collections, "rollups">,
  { tallied }: ReturnType<typeof createTallyReader>,
) {
  return async function readUserModels(models: readonly string[], query: LogQuery): Promise<HourCount[]> {
    const { filter, range } = query;
    const hours: mongo.Filter<RollupDoc> = {
      ...toUserFilter(filter),
      hour: { $gte: range.from - (range.from % 3_600), $lte: range.to },
      modelName: { $in: [...models] },
    };
    const calls = async () =>
      toHourCounts(
        await rollups
          .find(hours, { maxTimeMS: SEARCH_TIMEOUT_MS, projection: { hour: 1, count: 1, quota: 1 } })
          .toArray(),
      );
    const others = () => tallied({ dim: "e", value: { $in: [...models] }, ...toUserFilter(filter) }, query);
    if (filter.type === LOG_TYPE.consume) return calls();
    return filter.type === 0 ? mergeHourCounts(await Promise.all([calls(), others()])) : others();
  };
}

/** Reads from the tallies and the hourly sums how many rows match a filter, hour by hour. */
export function createLogDimensions(collections: Pick<Collections, "logTallies" | "rollups">) {
  const tallies = createTallyReader(collections);
  const { tallied, minutesFor } = tallies;
  const readUserModels = createUserModelReader(collections, tallies);
  /** Counts of a value that is not specific to a user. */
  const shared = (dim: TallyDim, index: string, values: readonly string[], query: LogQuery): Dimension => ({
    index,
    read: () => tallied({ dim, value: values.length === 1 ? (values[0] ?? "") : { $in: [...values] } }, query),
    minutes: minutesFor(dim, values, query),
  });
  const findDimensions = (query: LogQuery): Dimension[] => {
    const { filter, models } = query;
    const { userId, tokenName, channel, group } = filter;
    const dimensions: Dimension[] = [];
    if (isUser(filter)) {
      const value = userId > 0 ? { value: String(userId) } : {};
      const read = () => tallied({ dim: "u", ...value, ...toUserFilter(filter) }, query);
      dimensions.push({ index: LOG_WIDE_INDEX.user, isWide: true, read });
    }
    if (tokenName !== "")
      dimensions.push({ ...shared("n", LOG_WIDE_INDEX.tokenName, [tokenName], query), isWide: true });
    if (models) dimensions.push(shared("m", getLogIndex("modelName"), models, query));
    if (channel > 0) dimensions.push(shared("c", getLogIndex("channel"), [String(channel)], query));
    if (group !== "") dimensions.push(shared("g", getLogIndex("group"), [group], query));
    return dimensions;
  };
  /** Counts of combined conditions, where they are tallied. */
  const findJoint = (query: LogQuery, gaps: LogGaps): Dimension["read"] | undefined => {
    const { filter, models } = query;
    const { tokenName, channel, group } = filter;
    if (!isUser(filter)) {
      if (tokenName !== "" || !gaps.isCrossTallied) return undefined;
      const which = {
        dim: "x" as const,
        ...(models ? { modelName: { $in: [...models] } } : {}),
        ...(channel > 0 ? { channel } : {}),
        ...(group === "" ? {} : { group }),
      };
      return () => tallied(which, query);
    }
    if (channel > 0 || group !== "") return undefined;
    if (tokenName !== "")
      return models ? undefined : () => tallied({ dim: "t", value: tokenName, ...toUserFilter(filter) }, query);
    return models && !gaps.hasUnlogged ? () => readUserModels(models, query) : undefined;
  };
  return { tallied, minutesFor, findDimensions, findJoint };
}
