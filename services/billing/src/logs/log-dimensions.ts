import { LOG_TYPE } from "@turnpike/contract/limits";
import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import type { mongo } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { RollupDoc, TallyDim, TallyDoc } from "../store/documents.ts";
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

const TIMEOUT_MS = 8_000;

/** One condition of a filter, or several that are counted together. */
export type Dimension = {
  readonly index: string;
  /** True when the index covers every field of a filter. */
  readonly isWide?: true;
  readonly read: () => Promise<HourCount[]>;
  /** Rows of an hour by minute, newest first. */
  readonly minutes?: (hour: number) => Promise<MinuteCount[]>;
};
/** The fields a filter tests. */
export type Asked = {
  readonly filter: LogFilter;
  readonly range: SecondRange;
  readonly models: readonly string[] | undefined;
};

const isUser = ({ userId, username }: LogFilter): boolean => userId > 0 || username !== "";
const toUserFilter = ({ userId, username }: LogFilter) => ({
  ...(userId > 0 ? { userId } : {}),
  ...(username === "" ? {} : { username }),
});

/** Reads from the tallies and the hourly sums how many rows match a filter, hour by hour. */
export function createLogDimensions({ logTallies, rollups }: Pick<Collections, "logTallies" | "rollups">) {
  const tallied = async (which: mongo.Filter<TallyDoc>, { filter, range }: Asked): Promise<HourCount[]> => {
    const docs = await logTallies
      .find(
        { ...which, day: toDayCondition(range) },
        { maxTimeMS: TIMEOUT_MS, projection: { day: 1, rows: 1, quota: 1 } },
      )
      .toArray();
    return sumTalliesByHour(docs, filter.type);
  };
  const minutesFor =
    (dim: TallyDim, values: readonly string[], { filter }: Asked) =>
    async (hour: number): Promise<MinuteCount[]> => {
      const query = { _id: { $in: minutesIds(hour, dim, values) } };
      const docs = await logTallies.find(query, { maxTimeMS: TIMEOUT_MS, projection: { rows: 1, quota: 1 } }).toArray();
      return sumTalliesByMinute(docs, hour, filter.type);
    };
  /** Counts of a value that is not specific to a user. */
  const shared = (dim: TallyDim, index: string, values: readonly string[], asked: Asked): Dimension => ({
    index,
    read: () => tallied({ dim, value: values.length === 1 ? (values[0] ?? "") : { $in: [...values] } }, asked),
    minutes: minutesFor(dim, values, asked),
  });
  /** A user's rows of models: consumption from the hourly sums, others from tallies. */
  const ofUsersModels = async (models: readonly string[], asked: Asked): Promise<HourCount[]> => {
    const { filter, range } = asked;
    const query: mongo.Filter<RollupDoc> = {
      ...toUserFilter(filter),
      hour: { $gte: range.from - (range.from % 3_600), $lte: range.to },
      modelName: { $in: [...models] },
    };
    const calls = async () =>
      toHourCounts(
        await rollups.find(query, { maxTimeMS: TIMEOUT_MS, projection: { hour: 1, count: 1, quota: 1 } }).toArray(),
      );
    const others = () => tallied({ dim: "e", value: { $in: [...models] }, ...toUserFilter(filter) }, asked);
    if (filter.type === LOG_TYPE.consume) return calls();
    return filter.type === 0 ? mergeHourCounts(await Promise.all([calls(), others()])) : others();
  };
  const findDimensions = (asked: Asked): Dimension[] => {
    const { filter, models } = asked;
    const { userId, tokenName, channel, group } = filter;
    const found: Dimension[] = [];
    if (isUser(filter)) {
      const value = userId > 0 ? { value: String(userId) } : {};
      const read = () => tallied({ dim: "u", ...value, ...toUserFilter(filter) }, asked);
      found.push({ index: LOG_WIDE_INDEX.user, isWide: true, read });
    }
    if (tokenName !== "") found.push({ ...shared("n", LOG_WIDE_INDEX.tokenName, [tokenName], asked), isWide: true });
    if (models) found.push(shared("m", getLogIndex("modelName"), models, asked));
    if (channel > 0) found.push(shared("c", getLogIndex("channel"), [String(channel)], asked));
    if (group !== "") found.push(shared("g", getLogIndex("group"), [group], asked));
    return found;
  };
  /** Counts of combined conditions, where they are tallied. */
  const findJoint = (asked: Asked, gaps: LogGaps): Dimension["read"] | undefined => {
    const { filter, models } = asked;
    const { tokenName, channel, group } = filter;
    if (!isUser(filter)) {
      if (tokenName !== "" || !gaps.isCrossTallied) return undefined;
      const which = {
        dim: "x" as const,
        ...(models ? { modelName: { $in: [...models] } } : {}),
        ...(channel > 0 ? { channel } : {}),
        ...(group === "" ? {} : { group }),
      };
      return () => tallied(which, asked);
    }
    if (channel > 0 || group !== "") return undefined;
    if (tokenName !== "")
      return models ? undefined : () => tallied({ dim: "t", value: tokenName, ...toUserFilter(filter) }, asked);
    return models && !gaps.hasUnlogged ? () => ofUsersModels(models, asked) : undefined;
  };
  return { tallied, minutesFor, findDimensions, findJoint };
}
