import { LOG_TYPE } from "@turnpike/contract/limits";
import type { GetLogStatResponse, LogFilter } from "@turnpike/proto/billing/v1/log_service";
import type { mongo } from "mongoose";
import { toLikePattern } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { RollupDoc } from "../store/documents.ts";
import { type SecondRange, splitHours } from "./time-range.ts";
import { isInRollups } from "./log-filter.ts";
import { createPartialHours } from "./partial-hours.ts";
import { createLogPlanner, type LogPlan } from "./log-query-plan.ts";
import { toTimeRange } from "./log-reader.ts";
import { createLogRowReader } from "./log-row-reader.ts";
import { readCallRates } from "./request-rates.ts";
import type { LogGaps, LogState } from "./log-state.ts";

export type LogStatistics = ReturnType<typeof createLogStatistics>;

const TIMEOUT_MS = 10_000;
const MINUTE_SECONDS = 60;

/**
 * Sums over consumption. Whole hours come from the tallies or the hourly sums, so that a year costs no more than a day;
 * only the partial hours at the ends, and combinations without a tally, are summed from the rows.
 */
export function createLogStatistics(deps: {
  collections: Pick<Collections, "logs" | "logTallies" | "logSeconds" | "rollups" | "siteRollups">;
  state: LogState;
  nowSeconds: () => number;
}) {
  const { rollups, siteRollups } = deps.collections;
  const plan = createLogPlanner(deps.collections);
  const rows = createLogRowReader(deps.collections);
  const partsOfHours = createPartialHours(rows);

  const sumField = async <Doc extends mongo.Document>(
    collection: mongo.Collection<Doc>,
    query: mongo.Filter<Doc>,
  ): Promise<number> => {
    const sums = collection.aggregate<{ quota: number }>(
      [{ $match: query }, { $group: { _id: null, quota: { $sum: "$quota" } } }],
      { maxTimeMS: TIMEOUT_MS },
    );
    return (await sums.next())?.quota ?? 0;
  };
  /** Hourly sums also include calls without a row. */
  const sumRollups = ({ userId, username, modelName }: LogFilter, { from, to }: SecondRange): Promise<number> => {
    const ofSite = {
      hour: { $gte: from, $lte: to },
      ...(modelName === "" ? {} : { modelName: toLikePattern(modelName) }),
    };
    if (userId === 0 && username === "") return sumField(siteRollups, ofSite);
    const query: mongo.Filter<RollupDoc> = {
      ...ofSite,
      ...(userId > 0 ? { userId } : {}),
      ...(username === "" ? {} : { username }),
    };
    return sumField(rollups, query);
  };
  const sumHours = async (filter: LogFilter, made: LogPlan, hours: SecondRange, gaps: LogGaps): Promise<number> => {
    if (isInRollups(filter) && (gaps.hasUnlogged || !made.hourCounts)) return sumRollups(filter, hours);
    if (!made.hourCounts) return rows.sum(made, { from: hours.from, to: hours.to + 3_599 });
    return made.hourCounts
      .filter(({ hour }) => hour >= hours.from && hour <= hours.to)
      .reduce((sum, { quota }) => sum + quota, 0);
  };
  const sumQuota = async (filter: LogFilter, made: LogPlan, gaps: LogGaps): Promise<number> => {
    const { hours, edges } = splitHours(toTimeRange(filter, gaps.deletedBefore), deps.nowSeconds());
    const sums = await Promise.all([
      hours ? sumHours(filter, made, hours, gaps) : 0,
      ...edges.map((edge) => partsOfHours.sum(made, edge)),
    ]);
    return sums.reduce((sum, each) => sum + each, 0);
  };
  const lastMinute = (filter: LogFilter, made: LogPlan): Promise<{ rpm: number; tpm: number }> => {
    const { userId, username, tokenName, tokenId, requestId, channel, group, modelName } = filter;
    const now = deps.nowSeconds();
    const sinceSeconds = now - MINUTE_SECONDS;
    const isOfFew = userId > 0 || username !== "" || tokenName !== "" || tokenId > 0 || requestId !== "";
    const parts = [modelName !== "", channel > 0, group !== ""].filter(Boolean).length;
    if (isOfFew || parts > 1 || (modelName !== "" && !made.models))
      return rows.rates(made, { from: sinceSeconds, to: now });
    return readCallRates(deps.collections, sinceSeconds, {
      ...(made.models ? { models: made.models } : {}),
      ...(channel > 0 ? { channel } : {}),
      ...(group === "" ? {} : { group }),
    });
  };
  return async function logStat(filter: LogFilter): Promise<GetLogStatResponse> {
    const isOfCalls = filter.type === 0 || filter.type === LOG_TYPE.consume;
    const asked = { ...filter, type: LOG_TYPE.consume };
    const gaps = await deps.state.read();
    const made = await plan(asked, toTimeRange(filter, gaps.deletedBefore), gaps);
    const [quota, rates] = await Promise.all([isOfCalls ? sumQuota(asked, made, gaps) : 0, lastMinute(asked, made)]);
    return { quota, ...rates };
  };
}
