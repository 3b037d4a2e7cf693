import { LOG_TYPE } from "@turnpike/contract/limits";
import type { GetLogStatResponse, LogFilter } from "@turnpike/proto/billing/v1/log_service";
import type { mongo } from "mongoose";
import { like } from "../edge/query.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc, RollupDoc } from "../store/documents.ts";
import { type SecondRange, splitHours } from "./hour-range.ts";
import { isInRollups, toLogQuery } from "./log-filter.ts";
import type { LogState } from "./log-state.ts";

export type LogStat = ReturnType<typeof createLogStat>;

const TIMEOUT_MS = 10_000;
const MINUTE_SECONDS = 60;

/**
 * Sums over consumption. What the hourly sums know is taken from them, so that a year costs no more than a day; only the parts of
 * hours at the ends, and filters on tokens, channels and groups, are added up from the rows.
 */
export function createLogStat(deps: {
  collections: Pick<Collections, "logs" | "rollups" | "siteRollups">;
  state: LogState;
  nowSeconds: () => number;
}) {
  const { logs, rollups, siteRollups } = deps.collections;

  const sumOf = async <Doc extends mongo.Document>(
    collection: mongo.Collection<Doc>,
    query: mongo.Filter<Doc>,
  ): Promise<number> => {
    const sums = collection.aggregate<{ quota: number }>(
      [{ $match: query }, { $group: { _id: null, quota: { $sum: "$quota" } } }],
      { maxTimeMS: TIMEOUT_MS },
    );
    return (await sums.next())?.quota ?? 0;
  };
  const sumRows = (filter: LogFilter, { from, to }: SecondRange): Promise<number> => {
    const query: mongo.Filter<LogDoc> = {
      ...toLogQuery(filter),
      type: LOG_TYPE.consume,
      createdAt: { $gte: from, $lte: to },
    };
    return sumOf(logs, query);
  };
  const sumHours = ({ userId, username, modelName }: LogFilter, { from, to }: SecondRange): Promise<number> => {
    const ofSite = {
      hour: { $gte: from, $lte: to },
      ...(modelName === "" ? {} : { modelName: like(modelName) }),
    };
    if (userId === 0 && username === "") return sumOf(siteRollups, ofSite);
    const query: mongo.Filter<RollupDoc> = {
      ...ofSite,
      ...(userId > 0 ? { userId } : {}),
      ...(username === "" ? {} : { username }),
    };
    return sumOf(rollups, query);
  };
  const sumQuota = async (filter: LogFilter): Promise<number> => {
    if (filter.type !== 0 && filter.type !== LOG_TYPE.consume) return 0;
    const { deletedBefore } = await deps.state.read();
    const from = Math.max(filter.startSeconds, deletedBefore, 0);
    const to = filter.endSeconds > 0 ? filter.endSeconds : Number.MAX_SAFE_INTEGER;
    if (!isInRollups(filter)) return sumRows(filter, { from, to });
    const { hours, edges } = splitHours({ from, to }, deps.nowSeconds());
    const sums = await Promise.all([
      hours ? sumHours(filter, hours) : 0,
      ...edges.map((edge) => sumRows(filter, edge)),
    ]);
    return sums.reduce((sum, each) => sum + each, 0);
  };
  const lastMinute = async (filter: LogFilter): Promise<{ rpm: number; tpm: number }> => {
    const startSeconds = deps.nowSeconds() - MINUTE_SECONDS;
    const query = { ...toLogQuery({ ...filter, startSeconds, endSeconds: 0 }), type: LOG_TYPE.consume };
    const found = logs.aggregate<{ rpm: number; tpm: number }>(
      [
        { $match: query },
        {
          $group: {
            _id: null,
            rpm: { $sum: 1 },
            tpm: { $sum: { $add: ["$promptTokens", "$completionTokens"] } },
          },
        },
      ],
      { maxTimeMS: TIMEOUT_MS },
    );
    const { rpm = 0, tpm = 0 } = (await found.next()) ?? {};
    return { rpm, tpm };
  };
  return async function logStat(filter: LogFilter): Promise<GetLogStatResponse> {
    const [quota, rates] = await Promise.all([sumQuota(filter), lastMinute(filter)]);
    return { quota, ...rates };
  };
}
