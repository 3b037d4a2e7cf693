import { LOG_TYPE } from "@turnpike/contract/codes";
import { optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { selectPrice } from "@turnpike/contract/pricing/price-variants";
import { findModelPrice, type PriceTables } from "@turnpike/contract/pricing/price-tables";
import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/dollars";
import { NO_USAGE } from "@turnpike/contract/pricing/quota";
import { TOKEN_KINDS } from "@turnpike/contract/pricing/rules/price-rule";
import type {
  ChannelReportServiceServer,
  FetchReportResponse,
} from "@turnpike/proto/channel/v1/channel_report_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { GrpcClient } from "@turnpike/shared/grpc/client";
import { createPriceFinder } from "../rehearsal/row-quota.ts";
import { DAY_SECONDS } from "../store/calendar.ts";
import type { Collections } from "../store/collections.ts";
import type { ProviderReportDoc } from "../store/provider-report-document.ts";
import { createOwnUsage, NANO, type OwnUsage } from "./own-usage.ts";
import { compareReport, type FindRate } from "./report-comparison.ts";
import type { ReportStore } from "./report-store.ts";

const FETCH_TIMEOUT_MS = 150_000;
const ROWS_TIMEOUT_MS = 300_000;
const BATCH_ROWS = 500;
/** A day keeps its most expensive differences. */
const DIFFERENCES_MAX = 500;
const RETRY_FIRST_MS = 600_000;
const RETRY_MAX_MS = 6 * 3_600_000;
const PROJECTION = { modelName: 1, group: 1, promptTokens: 1, completionTokens: 1, quota: 1, other: 1 } as const;

type Deps = {
  readonly collections: Pick<Collections, "logs">;
  readonly store: ReportStore;
  readonly channels: Pick<GrpcClient<ChannelReportServiceServer>, "fetchReport">;
  /** The price options, with the built-in prices. */
  readonly prices: () => Promise<readonly { readonly key: string; readonly value: string }[]>;
  readonly nowMs: () => number;
};

const MILLION = 1_000_000;

/** The prices of the catalogue alone: nothing of what the operator charges. */
function toCatalogueTables(rows: readonly { readonly key: string; readonly value: string }[]): PriceTables {
  const { rules } = toPriceTables(optionsInForce([]));
  const text = rows.find(({ key }) => key === CATALOGUE_ROW)?.value ?? "{}";
  const catalogue = (JSON.parse(text) as { rules?: PriceTables["catalogue"] }).rules ?? {};
  return { ...toPriceTables(optionsInForce([])), rules, catalogue };
}

const isTokenKind = (kind: string): kind is (typeof TOKEN_KINDS)[number] => TOKEN_KINDS.some((one) => one === kind);

const createRateLookup =
  (tables: PriceTables): FindRate =>
  (model, kind, tier) => {
    const price = findModelPrice(tables, model, model, false);
    if (!price || price.mode === "call" || !isTokenKind(kind)) return undefined;
    const { price: flat } = selectPrice(price, { ...NO_USAGE, ...(tier === "" ? {} : { tier }) });
    return (flat.weights[kind] * flat.base * DOLLARS_PER_MILLION * NANO) / MILLION;
  };

function sumOwn({ models }: OwnUsage): { tokens: number; cost: number | null } {
  const cells = [...models.values()].flatMap((model) => [...model.values()]);
  const isKnown = cells.every(({ cost }) => cost !== undefined);
  return {
    tokens: cells.reduce((sum, { tokens }) => sum + tokens, 0),
    cost: isKnown ? cells.reduce((sum, { cost = 0 }) => sum + cost, 0) : null,
  };
}

export type ReportCheck = ReturnType<typeof createReportCheck>;

/** Fetches a provider's report of a day and compares it with the log. */
export function createReportCheck(deps: Deps) {
  const { collections, store, channels, nowMs } = deps;

  const readOwn = async (channelIds: readonly number[], day: number, tables: PriceTables): Promise<OwnUsage> => {
    const own = createOwnUsage(createPriceFinder(tables));
    const query = {
      channel: { $in: [...channelIds] },
      type: LOG_TYPE.consume,
      createdAt: { $gte: day, $lt: day + DAY_SECONDS },
    };
    const options = { projection: PROJECTION, maxTimeMS: ROWS_TIMEOUT_MS, batchSize: BATCH_ROWS };
    for await (const row of collections.logs.find(query, options)) own.add(row);
    return own.usage;
  };
  const compare = async (report: FetchReportResponse, day: number) => {
    const tables = toCatalogueTables(await deps.prices());
    const own = await readOwn(report.channelIds, day, tables);
    const differences = compareReport(own, report, createRateLookup(tables));
    const usage = report.lines.filter(({ isCost, kind }) => !isCost && kind !== "requests");
    return {
      calls: own.calls,
      estimatedCalls: own.estimatedCalls,
      ...sumOwn(own),
      reportedTokens: usage.reduce((sum, { tokens }) => sum + tokens, 0),
      reportedCost: report.lines.reduce((sum, { costNanodollars }) => sum + costNanodollars, 0),
      differences: differences.slice(0, DIFFERENCES_MAX),
    };
  };
  /** Stores why a day could not be compared, next to its last comparison, and when to try again. */
  const recordFailure = async (channelId: number, day: number, error: unknown): Promise<ProviderReportDoc> => {
    const problem = error instanceof AppError ? (error.params["detail"] ?? error.code) : "internal";
    const before = await store.read(channelId, day);
    const failures = (before?.failures ?? 0) + 1;
    const pauseMs = Math.min(RETRY_MAX_MS, RETRY_FIRST_MS * 2 ** (failures - 1));
    const { _id, ...last } = before ?? { _id: "", ...EMPTY, channelId, day };
    return store.write({ ...last, checkedAtMs: nowMs(), failures, nextTryAtMs: nowMs() + pauseMs, problem });
  };
  return {
    /** Compares a day and stores the result. A report that cannot be fetched is stored as a problem and thrown. */
    async check(channelId: number, day: number, requestId?: string): Promise<ProviderReportDoc> {
      try {
        const report = await channels.fetchReport(
          { id: channelId, daySeconds: day },
          { requestId, timeoutMs: FETCH_TIMEOUT_MS },
        );
        const figures = await compare(report, day);
        const checked = { channelId, day, checkedAtMs: nowMs(), failures: 0, nextTryAtMs: 0, problem: "" };
        return await store.write({ ...checked, ...figures });
      } catch (error) {
        await recordFailure(channelId, day, error);
        throw error;
      }
    },
  };
}

const EMPTY = {
  calls: 0,
  estimatedCalls: 0,
  tokens: 0,
  reportedTokens: 0,
  cost: 0,
  reportedCost: 0,
  differences: [],
} as const;
