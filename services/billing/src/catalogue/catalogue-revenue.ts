import { LOG_TYPE } from "@turnpike/contract/codes";
import { findModelPrice, type ModelPrice, type PriceTables } from "@turnpike/contract/pricing/price-tables";
import { findRuleName } from "@turnpike/contract/pricing/rules/catalogue-lookup";
import { createKeep } from "../rehearsal/rehearsal-step.ts";
import { readRowCharge, type RowCharge } from "../rehearsal/row-charge.ts";
import { computeRowQuota, createPriceFinder } from "../rehearsal/row-quota.ts";
import { DAY_SECONDS, getDayStart } from "../store/calendar.ts";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/usage-documents.ts";
import { createRevenueSums, type ModelTotal, type Revenue } from "./revenue-sums.ts";

const SPAN_SECONDS = 30 * DAY_SECONDS;
const TIMEOUT_MS = 15_000;
/** Reading rows ends after this time; what is left is calculated in proportion. */
const SCAN_MS = 12_000;
/** Between two batches other work of the process has its turn. */
const BATCH_ROWS = 500;
const PROJECTION = {
  modelName: 1,
  channel: 1,
  group: 1,
  promptTokens: 1,
  completionTokens: 1,
  quota: 1,
  refunded: 1,
  other: 1,
} as const;

type Lists = { readonly before: PriceTables; readonly after: PriceTables };

/** What decides the cost of a call at a price. */
const toText = (price: ModelPrice | undefined): string =>
  price === undefined
    ? ""
    : JSON.stringify([
        [price.mode, price.base, price.weights, price.modelPrice, price.pieces, price.toolPrices],
        price.shape && [price.shape.standard, [...price.shape.tiers], price.shape.regions],
      ]);

/** Calls, channels and revenue since a day, by the requested model, without what was refunded. */
async function readTotals(marginDays: Collections["marginDays"], day: number): Promise<readonly ModelTotal[]> {
  const pipeline = [
    { $match: { day: { $gte: day } } },
    {
      $group: {
        _id: "$modelName",
        calls: { $sum: "$count" },
        quota: { $sum: { $subtract: ["$quota", { $ifNull: ["$refunded", 0] }] } },
        channelIds: { $addToSet: "$channelId" },
      },
    },
  ];
  const rows = marginDays.aggregate<Omit<ModelTotal, "model"> & { _id: string }>(pipeline, { maxTimeMS: TIMEOUT_MS });
  return (await rows.toArray()).map(({ _id, ...total }) => ({ ...total, model: _id }));
}

/** Whether what a model's calls would cost depends on single rows: its price changes, or only its name at the upstream has one. */
function needsRows({ before, after }: Lists, model: string): boolean {
  const [old, next] = [before, after].map((tables) => findModelPrice(tables, model, model, false));
  return old?.rule !== "model" || toText(old) !== toText(next);
}

/** The catalogue's names of a model that a price was found under; none for a price that is not by name. */
function findNames({ before, after }: Lists, prices: readonly (ModelPrice | undefined)[]): readonly string[] {
  const names = [before, after].flatMap(({ catalogue }, index) => {
    const price = prices[index];
    return price?.rule === "model" || price?.rule === "upstream_model"
      ? [findRuleName(catalogue, price.name) ?? price.name]
      : [];
  });
  return [...new Set(names)];
}

/** Calculates single rows at both lists. */
function createRepricing(lists: Lists) {
  const finders = { before: createPriceFinder(lists.before), after: createPriceFinder(lists.after) };
  const texts = new Map<ModelPrice, string>();
  const getText = (price: ModelPrice | undefined): string => {
    if (!price) return "";
    const known = texts.get(price) ?? toText(price);
    texts.set(price, known);
    return known;
  };
  const compute = (charge: RowCharge, row: LogDoc, price: ModelPrice | undefined): number => {
    // The call would be refused.
    if (!price) return 0;
    const groupRatio = [charge.groupRatio, charge.cachedRatio ?? 1];
    const quota = computeRowQuota(
      charge,
      price,
      { groupRatio, quotaPerUnit: lists.before.quotaPerUnit },
      finders.after.find,
    );
    return typeof quota === "number" ? quota : row.quota;
  };
  return function reprice(row: LogDoc): { readonly names: readonly string[]; readonly newQuota: number } {
    const charge = readRowCharge(row);
    if (!charge) return { names: [row.modelName], newQuota: row.quota };
    const [old, next] = [finders.before.find(charge), finders.after.find(charge)];
    const isChanged = old !== undefined && row.quota > 0 && getText(old) !== getText(next);
    return { names: findNames(lists, [old, next]), newQuota: isChanged ? compute(charge, row, next) : row.quota };
  };
}

/**
 * What the calls of the last 30 days cost, and what they would have cost at other prices. Calls, channels and revenue come from the
 * daily sums; rows are read where a price changes, newest first, and calculated in proportion where time ends.
 */
export async function readRevenue(
  { logs, marginDays }: Pick<Collections, "logs" | "marginDays">,
  lists: Lists,
  nowMs: () => number,
): Promise<Revenue> {
  const start = getDayStart(Math.floor(nowMs() / 1000) - SPAN_SECONDS);
  const totals = await readTotals(marginDays, start);
  const scanned = totals.map(({ model }) => model).filter((model) => needsRows(lists, model));
  const sums = createRevenueSums((model) =>
    findNames(
      lists,
      [lists.before, lists.after].map((tables) => findModelPrice(tables, model, model, false)),
    ),
  );
  const reprice = createRepricing(lists);
  const query = { type: LOG_TYPE.consume, modelName: { $in: scanned }, createdAt: { $gte: start } };
  const until = nowMs() + SCAN_MS;
  let [rows, isPartial] = [0, false];
  const cursor = logs
    .find<LogDoc>(query, { projection: PROJECTION, maxTimeMS: TIMEOUT_MS + SCAN_MS, batchSize: BATCH_ROWS })
    .sort({ createdAt: -1, _id: -1 });
  if (scanned.length > 0)
    for await (const row of cursor) {
      const keep = createKeep(row);
      const { names, newQuota } = reprice(row);
      sums.add(row, names, { quota: keep(row.quota), newQuota: keep(newQuota) });
      rows++;
      isPartial = rows % BATCH_ROWS === 0 && nowMs() >= until;
      if (isPartial) break;
    }
  return sums.read(totals, isPartial);
}
