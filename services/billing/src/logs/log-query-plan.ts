import { LOG_TYPE } from "@turnpike/contract/codes";
import type { LogFilter } from "@turnpike/proto/billing/v1/log_service";
import { SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { mongo } from "mongoose";
import { toLikePattern } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/usage-documents.ts";
import {
  LOG_ERROR_INDEX,
  LOG_NOTE_INDEX,
  LOG_OTHERS_INDEX,
  LOG_RESPONSE_INDEX,
  LOG_SESSION_INDEX,
  LOG_TIME_INDEX,
  getLogIndex,
} from "../store/indexes.ts";
import { type HourCount, type MinuteCount, countRows } from "./log-counts.ts";
import { createLogDimensions, type Dimension, type LogQuery } from "./log-dimensions.ts";
import type { SecondRange } from "./time-range.ts";
import { isStatus, toLogQuery } from "./log-filter.ts";
import type { LogGaps } from "./log-state.ts";

/** With more models than this a pattern is matched row by row: an index scan merges only so many ranges. */
const MODELS_MAX = 150;

/** Cost of reading a row relative to scanning its index entry. */
const ROW_COST = 20;

/** How the rows of a filter are found and counted. */
export type LogPlan = {
  /** Without the time range. */
  readonly query: mongo.Filter<LogDoc>;
  /** The models that a pattern matches; undefined when the filter has no model, or too many match. */
  readonly models: readonly string[] | undefined;
  readonly index: string;
  /** Exact row counts by hour; undefined for combinations that are not tallied. */
  readonly hourCounts: readonly HourCount[] | undefined;
  /** Rows of an hour by minute, newest first, where tallied. */
  readonly minutes?: (hour: number) => Promise<MinuteCount[]>;
  /** True when only some of the rows that the index finds match, so that skipping the hours between them pays off. */
  readonly isJoint?: true;
  /** Nothing can match. */
  readonly isEmpty: boolean;
};

const UNCOUNTED = { models: undefined, hourCounts: undefined, isEmpty: false };

/** A user's failures are among their rows with a note; those of all users have an index by code and by status. */
const getErrorIndex = ({ userId, error }: LogFilter): string =>
  userId > 0 ? LOG_NOTE_INDEX.byUser : LOG_ERROR_INDEX[isStatus(error) ? "byStatus" : "byCode"];

/** The index of a filter whose rows are not tallied, "" where MongoDB chooses; undefined for all others. */
function findUntalliedIndex(filter: LogFilter, { isTallied }: LogGaps): string | undefined {
  if (filter.requestId !== "") return "find_by_request";
  if (filter.responseId !== "") return LOG_RESPONSE_INDEX;
  if (filter.sessionId !== "") return LOG_SESSION_INDEX;
  if (filter.tokenId > 0) return getLogIndex("tokenId");
  if (filter.error !== "") return getErrorIndex(filter);
  return isTallied ? undefined : "";
}

export type LogPlanner = ReturnType<typeof createLogPlanner>;

/** Minute counts are used only where they cover every row. */
const minutesIn = (gaps: LogGaps, minutes: Dimension["minutes"]): Pick<LogPlan, "minutes"> =>
  gaps.isCrossTallied && minutes ? { minutes } : {};

/**
 * Plans a filter: which index has the fewest rows to read, and how many rows there are in each hour. The tallies
 * contain that for one user, token name, model, channel or group, for models, channels and groups together, for a
 * user's token name and for a user's model.
 */
export function createLogPlanner(collections: Pick<Collections, "logTallies" | "rollups">) {
  const { logTallies } = collections;
  const { tallied, minutesFor, findDimensions, findJoint } = createLogDimensions(collections);
  const findModels = async ({ modelName }: LogFilter): Promise<readonly string[] | undefined> => {
    const pattern = toLikePattern(modelName);
    if (typeof pattern === "string") return [pattern];
    const known = (await logTallies.distinct("value", { dim: "m" }, { maxTimeMS: SEARCH_TIMEOUT_MS })) as string[];
    const models = known.filter((name) => pattern.test(name));
    return models.length > MODELS_MAX ? undefined : models;
  };
  /** The users of a name: rows keep the user's name at the time, which another user may have now. */
  const findUserIds = async ({ userId, username }: LogFilter): Promise<readonly number[] | undefined> => {
    if (userId > 0) return [userId];
    if (username === "") return undefined;
    return (await logTallies.distinct("userId", { dim: "u", username }, { maxTimeMS: SEARCH_TIMEOUT_MS })) as number[];
  };
  const cheapest = async (dimensions: readonly Dimension[]): Promise<Dimension & { hourCounts: HourCount[] }> => {
    const read = await Promise.all(dimensions.map(async (each) => ({ ...each, hourCounts: await each.read() })));
    const getCost = ({ hourCounts, isWide }: (typeof read)[number]): number =>
      countRows(hourCounts) * (isWide ? 1 : ROW_COST);
    return read.reduce((best, each) => (getCost(each) < getCost(best) ? each : best));
  };

  const planAllRows = async (query: LogPlan["query"], logQuery: LogQuery, gaps: LogGaps): Promise<LogPlan> => {
    const { type } = logQuery.filter;
    const hourCounts = await tallied({ dim: "a" }, logQuery);
    const index = type > 0 && type !== LOG_TYPE.consume ? LOG_OTHERS_INDEX : LOG_TIME_INDEX;
    const minutes = minutesIn(gaps, minutesFor("a", [""], logQuery));
    return { query, models: undefined, index, hourCounts, ...minutes, isEmpty: hourCounts.length === 0 };
  };

  return async function makeLogPlan(filter: LogFilter, range: SecondRange, gaps: LogGaps): Promise<LogPlan> {
    const { createdAt: _, ...query } = toLogQuery(filter);
    const untallied = findUntalliedIndex(filter, gaps);
    if (untallied !== undefined) return { ...UNCOUNTED, query, index: untallied };
    const [models, userIds] = await Promise.all([
      filter.modelName === "" ? undefined : findModels(filter),
      findUserIds(filter),
    ]);
    const logQuery = { filter, range, models };
    const found = {
      ...query,
      ...(models ? { modelName: { $in: [...models] } } : {}),
      ...(userIds ? { userId: { $in: [...userIds] } } : {}),
    };
    const dimensions = findDimensions(logQuery);
    const readJoint = dimensions.length > 1 ? findJoint(logQuery, gaps) : undefined;
    const isPattern = filter.modelName !== "" && !models;
    if (dimensions.length === 0)
      return isPattern ? { ...UNCOUNTED, query, index: LOG_TIME_INDEX } : planAllRows(query, logQuery, gaps);
    if (readJoint && !isPattern) {
      const [hourCounts, best] = await Promise.all([readJoint(), cheapest(dimensions)]);
      return { query: found, models, index: best.index, hourCounts, isJoint: true, isEmpty: hourCounts.length === 0 };
    }
    const best = await cheapest(dimensions);
    const isCounted = dimensions.length === 1 && !isPattern;
    const hourCounts = isCounted ? best.hourCounts : undefined;
    const minutes = isCounted ? minutesIn(gaps, best.minutes) : {};
    return { query: found, models, index: best.index, hourCounts, ...minutes, isEmpty: best.hourCounts.length === 0 };
  };
}
