import { LOG_TYPE } from "@turnpike/contract/codes";
import type { GetLogStatResponse, LogFilter } from "@turnpike/proto/billing/v1/log_service";
import type { mongo } from "mongoose";
import { toLikePattern } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import { withQueryTimeout } from "../store/query-timeout.ts";
import { sumField } from "../store/sum-field.ts";
import type { RollupDoc } from "../store/sum-documents.ts";
import { type SecondRange, splitHours } from "./time-range.ts";
import { isInRollups } from "./log-filter.ts";
import { createPartialHours } from "./partial-hours.ts";
import { createLogPlanner, type LogPlan } from "./log-query-plan.ts";
import { toTimeRange } from "./log-reader.ts";
import { createLogRowReader, type LogRowReader } from "./log-row-reader.ts";
import { readCallRates } from "./request-rates.ts";
import type { LogGaps, LogState } from "./log-state.ts";

export type LogStatistics = ReturnType<typeof createLogStatistics>;

const TIMEOUT_MS = 10_000;
const MINUTE_SECONDS = 60;

type Stored = Pick<Collections, "logs" | "logTallies" | "logSeconds" | "rollups" | "siteRollups">;

/** The quota of hourly sums, which also include calls without a row. */
function sumRollups(
  { rollups, siteRollups }: Stored,
  { userId, username, modelName }: LogFilter,
  { from, to }: SecondRange,
): Promise<number> {
  const siteQuery = {
    hour: { $gte: from, $lte: to },
    ...(modelName === "" ? {} : { modelName: toLikePattern(modelName) }),
  };
  if (userId === 0 && username === "")
    return sumField(siteRollups, { query: siteQuery, field: "quota" }, { maxTimeMS: TIMEOUT_MS });
  const query: mongo.Filter<RollupDoc> = {
    ...siteQuery,
    ...(userId > 0 ? { userId } : {}),
    ...(username === "" ? {} : { username }),
  };
  return sumField(rollups, { query, field: "quota" }, { maxTimeMS: TIMEOUT_MS });
}

/** Calls and tokens of the last minute: from the seconds where they are counted by what the filter names, else from the rows. */
function createCurrentRates(collections: Stored, rows: LogRowReader, nowSeconds: () => number) {
  return function readCurrentRates(filter: LogFilter, plan: LogPlan): Promise<{ rpm: number; tpm: number }> {
    const { userId, username, tokenName, tokenId, requestId, responseId, sessionId, channel, group, modelName } =
      filter;
    const now = nowSeconds();
    const sinceSeconds = now - MINUTE_SECONDS;
    const isOfUser = userId > 0 || username !== "" || tokenName !== "" || tokenId > 0;
    const isOfFew = isOfUser || requestId !== "" || responseId !== "" || sessionId !== "";
    const parts = [modelName !== "", channel > 0, group !== ""].filter(Boolean).length;
    if (isOfFew || parts > 1 || (modelName !== "" && !plan.models))
      return rows.rates(plan, { from: sinceSeconds, to: now });
    return readCallRates(collections, sinceSeconds, {
      ...(plan.models ? { models: plan.models } : {}),
      ...(channel > 0 ? { channel } : {}),
      ...(group === "" ? {} : { group }),
    });
  };
}

/**
 * Sums over consumption. Whole hours come from the tallies or the hourly sums, so that a year costs no more than a day;
 * only the partial hours at the ends, and combinations without a tally, are summed from the rows.
 */
export function createLogStatistics(deps: { collections: Stored; state: LogState; nowSeconds: () => number }) {
  const makePlan = createLogPlanner(deps.collections);
  const rows = createLogRowReader(deps.collections);
  const partialHours = createPartialHours(rows);
  const readCurrentRates = createCurrentRates(deps.collections, rows, deps.nowSeconds);

  const sumHours = async (filter: LogFilter, plan: LogPlan, hours: SecondRange, gaps: LogGaps): Promise<number> => {
    if (isInRollups(filter) && (gaps.hasUnlogged || !plan.hourCounts))
      return sumRollups(deps.collections, filter, hours);
    if (!plan.hourCounts) return rows.sum(plan, { from: hours.from, to: hours.to + 3_599 });
    return plan.hourCounts
      .filter(({ hour }) => hour >= hours.from && hour <= hours.to)
      .reduce((sum, { quota }) => sum + quota, 0);
  };
  const sumQuota = async (filter: LogFilter, plan: LogPlan, gaps: LogGaps): Promise<number> => {
    const { hours, edges } = splitHours(toTimeRange(filter, gaps.deletedBefore), deps.nowSeconds());
    const sums = await Promise.all([
      hours ? sumHours(filter, plan, hours, gaps) : 0,
      ...edges.map((edge) => partialHours.sum(plan, edge)),
    ]);
    return sums.reduce((sum, each) => sum + each, 0);
  };
  return async function logStat(filter: LogFilter): Promise<GetLogStatResponse> {
    const isOfCalls = filter.type === 0 || filter.type === LOG_TYPE.consume;
    const consumption = { ...filter, type: LOG_TYPE.consume };
    const gaps = await deps.state.read();
    return withQueryTimeout(async () => {
      const plan = await makePlan(consumption, toTimeRange(filter, gaps.deletedBefore), gaps);
      const [quota, rates, session] = await Promise.all([
        isOfCalls ? sumQuota(consumption, plan, gaps) : 0,
        readCurrentRates(consumption, plan),
        filter.sessionId === "" ? undefined : rows.session(plan, toTimeRange(filter, gaps.deletedBefore)),
      ]);
      return { quota, ...rates, session };
    });
  };
}
