import { LOG_TYPE } from "@turnpike/contract/codes";
import { findGroupRatio } from "@turnpike/contract/pricing/price-tables";
import type { RehearsedPlace } from "@turnpike/proto/billing/v1/price_book_service";
import type { mongo } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { LogDoc } from "../store/usage-documents.ts";
import { createUserGroups } from "./group-ratios.ts";
import { createRehearsalSums, type Repriced } from "./rehearsal-sums.ts";
import { readRowCharge, type RowCharge } from "./row-charge.ts";
import { computeRowQuota, type PriceFinder, type RowProblem } from "./row-quota.ts";

/** The maximum rows and time of one step. It ends at either limit; the next step continues after its last row. */
export const STEP_ROWS_MAX = 20_000;
const STEP_MS = 5_000;
const QUERY_TIMEOUT_MS = 15_000;
/** Other work of the process runs between two batches. */
const BATCH_ROWS = 500;

const PROJECTION = {
  createdAt: 1,
  userId: 1,
  username: 1,
  modelName: 1,
  group: 1,
  promptTokens: 1,
  completionTokens: 1,
  quota: 1,
  cost: 1,
  refunded: 1,
  reversedCost: 1,
  other: 1,
} as const;

/** The prices in force and the proposed ones. */
export type PriceLists = { readonly current: PriceFinder; readonly proposed: PriceFinder };

export type RehearsalSpan = {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly after: RehearsedPlace | undefined;
};

function toQuery({ startSeconds, endSeconds, after }: RehearsalSpan): mongo.Filter<LogDoc> {
  const query = { type: LOG_TYPE.consume, createdAt: { $gte: startSeconds, $lte: after?.createdAt ?? endSeconds } };
  if (!after) return query;
  const { createdAt, id } = after;
  return { ...query, $or: [{ createdAt: { $lt: createdAt } }, { _id: { $lt: id } }] };
}

/** Calculates single rows at two lists of prices. */
function createRepricing({ current, proposed }: PriceLists) {
  const getUserGroup = createUserGroups(current.tables);
  const compute = ({ tables, find }: PriceFinder, charge: RowCharge, userGroup: string): number | RowProblem => {
    const price = find(charge);
    if (!price) return "no_price";
    const cached = charge.cachedRatio === undefined ? 1 : tables.cachedResponseRatio;
    // A group that was deleted keeps the ratio that its rows were charged with.
    const groupRatio = [findGroupRatio(tables, charge.group, userGroup) ?? charge.groupRatio, cached];
    return computeRowQuota(charge, price, { groupRatio, quotaPerUnit: tables.quotaPerUnit }, find);
  };
  return function reprice(row: LogDoc): Repriced | RowProblem {
    const charge = readRowCharge(row);
    if (!charge) return "no_figures";
    const userGroup = getUserGroup(charge);
    const next = compute(proposed, charge, userGroup);
    if (typeof next !== "number") return next;
    const now = compute(current, charge, userGroup);
    // A model without a price in force counts with what it was charged.
    if (now === "no_price") return { current: row.quota, proposed: next };
    return typeof now === "number" ? { current: now, proposed: next } : now;
  };
}

/** Reduces the amounts of a row by its refunded share. */
export function createKeep({ quota, refunded = 0 }: Pick<LogDoc, "quota" | "refunded">): (amount: number) => number {
  const kept = quota === 0 ? 1 : Math.max(0, quota - refunded) / quota;
  return (amount) => Math.round(amount * kept);
}

/** A row reduced by its refund, such as that of a failed task. */
function withoutRefund(row: LogDoc, repriced: Repriced): { readonly row: LogDoc; readonly repriced: Repriced } {
  const { quota, refunded = 0, cost, reversedCost = 0 } = row;
  if (refunded === 0 && reversedCost === 0) return { row, repriced };
  const keep = createKeep(row);
  return {
    row: { ...row, quota: keep(quota), ...(cost === undefined ? {} : { cost: Math.max(0, cost - reversedCost) }) },
    repriced: { current: keep(repriced.current), proposed: keep(repriced.proposed) },
  };
}

/** One step of a rehearsal, newest rows first, at constant memory per model and user. */
export async function rehearseStep(
  { logs }: Pick<Collections, "logs">,
  lists: PriceLists,
  span: RehearsalSpan & { readonly nowMs: () => number },
) {
  const reprice = createRepricing(lists);
  const sums = createRehearsalSums();
  const until = span.nowMs() + STEP_MS;
  const rows = logs
    .find<LogDoc>(toQuery(span), { projection: PROJECTION, maxTimeMS: QUERY_TIMEOUT_MS, batchSize: BATCH_ROWS })
    .sort({ createdAt: -1, _id: -1 })
    .limit(STEP_ROWS_MAX);
  let count = 0;
  let last: RehearsedPlace | undefined;
  for await (const row of rows) {
    const repriced = reprice(row);
    if (typeof repriced === "string") sums.skip(row, repriced);
    else {
      const kept = withoutRefund(row, repriced);
      sums.add(kept.row, kept.repriced);
    }
    count++;
    last = { createdAt: row.createdAt, id: row._id };
    if (count % BATCH_ROWS === 0 && span.nowMs() >= until) break;
  }
  const isEnded = count < STEP_ROWS_MAX && span.nowMs() < until;
  return { rows: count, ...sums.read(), next: isEnded ? undefined : last };
}
