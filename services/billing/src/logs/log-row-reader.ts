import type { SessionStat } from "@turnpike/proto/billing/v1/log_service";
import { SEARCH_TIMEOUT_MS } from "@turnpike/shared/mongo/search";
import type { mongo } from "mongoose";
import type { PageRange } from "../store/query.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/usage-documents.ts";
import { withIndexHint } from "../store/index-hint.ts";
import { withQueryTimeout } from "../store/query-timeout.ts";
import type { SecondRange } from "./time-range.ts";
import type { LogPlan } from "./log-query-plan.ts";

const SAMPLE_MAX = 3_000;
/** Counting more index keys than this would delay a page. */
const COUNT_MAX = 50_000;
const TOKENS = { $add: ["$promptTokens", "$completionTokens"] };
const SESSION_SUMS = {
  calls: { $sum: 1 },
  promptTokens: { $sum: "$promptTokens" },
  completionTokens: { $sum: "$completionTokens" },
  quota: { $sum: "$quota" },
  firstSeconds: { $min: "$createdAt" },
  lastSeconds: { $max: "$createdAt" },
};
const NO_SESSION = { calls: 0, promptTokens: 0, completionTokens: 0, quota: 0, firstSeconds: 0, lastSeconds: 0 };
type Plan = Pick<LogPlan, "query" | "index">;

export type LogRowReader = ReturnType<typeof createLogRowReader>;

/** Calls and tokens a minute of the rows that match; see `rates`. */
async function readRates(
  logs: Collections["logs"],
  match: mongo.Filter<LogDoc>,
  { last, hint }: { readonly last: SecondRange; readonly hint: { hint?: string } },
): Promise<{ rpm: number; tpm: number }> {
  const options = { ...hint, maxTimeMS: SEARCH_TIMEOUT_MS };
  const newestFirst = { createdAt: -1, _id: -1 } as const;
  const newest = logs.aggregate<{ rows: number; tokens: number }>(
    [
      { $match: match },
      { $sort: newestFirst },
      { $limit: SAMPLE_MAX },
      { $group: { _id: null, rows: { $sum: 1 }, tokens: { $sum: TOKENS } } },
    ],
    options,
  );
  const { rows = 0, tokens = 0 } = (await newest.next()) ?? {};
  if (rows < SAMPLE_MAX) return { rpm: rows, tpm: tokens };
  const many = logs.find(match, { ...options, projection: { _id: 0, createdAt: 1 } }).sort(newestFirst);
  const [oldest] = await many.skip(COUNT_MAX).limit(1).toArray();
  const rpm = oldest
    ? Math.round((COUNT_MAX * (last.to - last.from)) / Math.max(1, last.to - oldest.createdAt))
    : await logs.countDocuments(match, options);
  return { rpm, tpm: Math.round((tokens / rows) * rpm) };
}

/** Reads rows by the index that a plan names; until it is built, MongoDB chooses. */
export function createLogRowReader({ logs }: Pick<Collections, "logs">) {
  const within = ({ query }: Plan, { from, to }: SecondRange): mongo.Filter<LogDoc> => {
    const isOpen = to >= Number.MAX_SAFE_INTEGER;
    if (from <= 0 && isOpen) return query;
    return { ...query, createdAt: { ...(from > 0 ? { $gte: from } : {}), ...(isOpen ? {} : { $lte: to }) } };
  };
  return {
    read: (plan: Plan, range: SecondRange, page: PageRange): Promise<LogDoc[]> =>
      withQueryTimeout(() =>
        withIndexHint(plan.index, (hint) =>
          logs
            .find(within(plan, range), { ...hint, maxTimeMS: SEARCH_TIMEOUT_MS })
            .sort({ createdAt: -1, _id: -1 })
            .skip(page.skip)
            .limit(page.limit)
            .toArray(),
        ),
      ),
    count: (plan: Plan, range: SecondRange, bound: { limit?: number; timeoutMs: number }): Promise<number> => {
      const options = { maxTimeMS: bound.timeoutMs, ...(bound.limit === undefined ? {} : { limit: bound.limit }) };
      return withIndexHint(plan.index, (hint) => logs.countDocuments(within(plan, range), { ...hint, ...options }));
    },
    /** The total quota of the rows. */
    sum: (plan: Plan, range: SecondRange): Promise<number> =>
      withQueryTimeout(() =>
        withIndexHint(plan.index, async (hint) => {
          const sums = logs.aggregate<{ quota: number }>(
            [{ $match: within(plan, range) }, { $group: { _id: null, quota: { $sum: "$quota" } } }],
            { ...hint, maxTimeMS: SEARCH_TIMEOUT_MS },
          );
          return (await sums.next())?.quota ?? 0;
        }),
      ),
    /** The sums of an agent session's calls, which a plan selects. */
    session: (plan: Plan, range: SecondRange): Promise<SessionStat> =>
      withIndexHint(plan.index, async (hint) => {
        const sums = logs.aggregate<SessionStat>(
          [{ $match: within(plan, range) }, { $group: { _id: null, ...SESSION_SUMS } }, { $project: { _id: 0 } }],
          { ...hint, maxTimeMS: SEARCH_TIMEOUT_MS },
        );
        return (await sums.next()) ?? NO_SESSION;
      }),
    /**
     * Calls and tokens of the last seconds. Beyond a few thousand calls, tokens are extrapolated from the newest of
     * them; beyond fifty thousand calls, calls are extrapolated from the time that these took.
     */
    rates: (plan: Plan, last: SecondRange): Promise<{ rpm: number; tpm: number }> =>
      withIndexHint(plan.index, (hint) =>
        readRates(logs, within(plan, { from: last.from, to: Number.MAX_SAFE_INTEGER }), { last, hint }),
      ),
  };
}
