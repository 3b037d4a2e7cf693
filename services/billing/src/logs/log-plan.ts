import { LOG_TYPE } from "@turnpike/contract/limits";
import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import type { mongo } from "mongoose";
import { like } from "../edge/query.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc, RollupDoc, TallyDoc } from "../store/documents.ts";
import { LOG_OTHERS_INDEX, LOG_TIME_INDEX, logIndexOf } from "../store/indexes.ts";
import { cellsOfRollups, cellsOfTallies, daysOf, type HourCell, joinCells, totalOf } from "./log-cells.ts";
import type { SecondRange } from "./hour-range.ts";
import { toLogQuery } from "./log-filter.ts";
import type { LogGaps } from "./log-state.ts";

const TIMEOUT_MS = 8_000;
/** With more models than this a pattern is matched row by row: an index is merged from so many places. */
const MODELS_MAX = 150;

/** How the rows of a filter are found and counted. */
export type LogPlan = {
  /** Without the range of time. */
  readonly query: mongo.Filter<LogDoc>;
  /** The models that a pattern stands for; undefined when no model is asked for, or too many match. */
  readonly models: readonly string[] | undefined;
  readonly index: string;
  /** Rows by hour, exactly; undefined when several things are asked at once of which nobody keeps count. */
  readonly cells: readonly HourCell[] | undefined;
  /** Nothing can match. */
  readonly isEmpty: boolean;
};

export type MakeLogPlan = ReturnType<typeof createLogPlan>;

type Dimension = { readonly index: string; readonly read: () => Promise<HourCell[]> };
/** What a filter asks of. */
type Asked = {
  readonly filter: LogFilter;
  readonly range: SecondRange;
  readonly models: readonly string[] | undefined;
};

const isUser = ({ userId, username }: LogFilter): boolean => userId > 0 || username !== "";
const userOf = ({ userId, username }: LogFilter) => ({
  ...(userId > 0 ? { userId } : {}),
  ...(username === "" ? {} : { username }),
});
const userIndexOf = ({ userId }: LogFilter): string => logIndexOf(userId > 0 ? "userId" : "username");

/**
 * Finds out how a filter is best served: which index has the fewest rows, and how many rows there are in each hour. The tallies know
 * that for one user, token name, model, channel or group, for a user's token name and for a user's model.
 */
export function createLogPlan({ logTallies, rollups }: Pick<Collections, "logTallies" | "rollups">) {
  const tallied = async (which: mongo.Filter<TallyDoc>, { filter, range }: Asked): Promise<HourCell[]> => {
    const docs = await logTallies
      .find({ ...which, day: daysOf(range) }, { maxTimeMS: TIMEOUT_MS, projection: { day: 1, rows: 1, quota: 1 } })
      .toArray();
    return cellsOfTallies(docs, filter.type);
  };
  /** A user's rows of models: consumption from the hourly sums, the rest from tallies. */
  const ofUsersModels = async (models: readonly string[], asked: Asked): Promise<HourCell[]> => {
    const { filter, range } = asked;
    const query: mongo.Filter<RollupDoc> = {
      ...userOf(filter),
      hour: { $gte: range.from - (range.from % 3_600), $lte: range.to },
      modelName: { $in: [...models] },
    };
    const calls = async () =>
      cellsOfRollups(
        await rollups.find(query, { maxTimeMS: TIMEOUT_MS, projection: { hour: 1, count: 1, quota: 1 } }).toArray(),
      );
    const others = () => tallied({ dim: "e", value: { $in: [...models] }, ...userOf(filter) }, asked);
    if (filter.type === LOG_TYPE.consume) return calls();
    return filter.type === 0 ? joinCells(await Promise.all([calls(), others()])) : others();
  };
  const dimensionsOf = (asked: Asked): Dimension[] => {
    const { filter, models } = asked;
    const { userId, tokenName, channel, group } = filter;
    const found: Dimension[] = [];
    if (isUser(filter)) {
      const value = userId > 0 ? { value: String(userId) } : {};
      found.push({ index: userIndexOf(filter), read: () => tallied({ dim: "u", ...value, ...userOf(filter) }, asked) });
    }
    if (tokenName !== "")
      found.push({ index: logIndexOf("tokenName"), read: () => tallied({ dim: "n", value: tokenName }, asked) });
    if (models)
      found.push({
        index: logIndexOf("modelName"),
        read: () => tallied({ dim: "m", value: { $in: [...models] } }, asked),
      });
    if (channel > 0)
      found.push({ index: logIndexOf("channel"), read: () => tallied({ dim: "c", value: String(channel) }, asked) });
    if (group !== "")
      found.push({ index: logIndexOf("group"), read: () => tallied({ dim: "g", value: group }, asked) });
    return found;
  };
  /** Counts of pairs that are kept beside those of single things. */
  const pairOf = (asked: Asked, gaps: LogGaps): Dimension | undefined => {
    const { filter, models } = asked;
    if (!isUser(filter) || filter.channel > 0 || filter.group !== "") return undefined;
    if (filter.tokenName !== "" && filter.modelName === "") {
      const which = { dim: "t" as const, value: filter.tokenName, ...userOf(filter) };
      return { index: userIndexOf(filter), read: () => tallied(which, asked) };
    }
    if (models && filter.tokenName === "" && !gaps.hasUnlogged)
      return { index: userIndexOf(filter), read: () => ofUsersModels(models, asked) };
    return undefined;
  };
  const modelsOf = async ({ modelName }: LogFilter): Promise<readonly string[] | undefined> => {
    const pattern = like(modelName);
    if (typeof pattern === "string") return [pattern];
    const known = (await logTallies.distinct("value", { dim: "m" }, { maxTimeMS: TIMEOUT_MS })) as string[];
    const models = known.filter((name) => pattern.test(name));
    return models.length > MODELS_MAX ? undefined : models;
  };
  const rarest = async (dimensions: readonly Dimension[]): Promise<Dimension & { cells: HourCell[] }> => {
    const read = await Promise.all(dimensions.map(async (each) => ({ ...each, cells: await each.read() })));
    return read.reduce((best, each) => (totalOf(each.cells) < totalOf(best.cells) ? each : best));
  };

  return async function makeLogPlan(filter: LogFilter, range: SecondRange, gaps: LogGaps): Promise<LogPlan> {
    const { createdAt: _, ...query } = toLogQuery(filter);
    const uncounted = { models: undefined, cells: undefined, isEmpty: false };
    if (filter.requestId !== "") return { ...uncounted, query, index: "find_by_request" };
    if (filter.tokenId > 0) return { ...uncounted, query, index: logIndexOf("tokenId") };
    if (!gaps.isTallied) return { ...uncounted, query, index: "" };
    const models = filter.modelName === "" ? undefined : await modelsOf(filter);
    const asked = { filter, range, models };
    const withModels = models ? { ...query, modelName: { $in: [...models] } } : query;
    const dimensions = dimensionsOf(asked);
    const pair = dimensions.length === 2 ? pairOf(asked, gaps) : undefined;
    const isPattern = filter.modelName !== "" && !models;
    if (dimensions.length === 0) {
      if (isPattern) return { ...uncounted, query, index: LOG_TIME_INDEX };
      const cells = await tallied({ dim: "a" }, asked);
      const index = filter.type > 0 && filter.type !== LOG_TYPE.consume ? LOG_OTHERS_INDEX : LOG_TIME_INDEX;
      return { query, models, index, cells, isEmpty: cells.length === 0 };
    }
    if (pair && !isPattern) {
      const [cells, best] = await Promise.all([pair.read(), rarest(dimensions)]);
      return { query: withModels, models, index: best.index, cells, isEmpty: cells.length === 0 };
    }
    const best = await rarest(dimensions);
    const isCounted = dimensions.length === 1 && !isPattern;
    const cells = isCounted ? best.cells : undefined;
    return { query: withModels, models, index: best.index, cells, isEmpty: best.cells.length === 0 };
  };
}
