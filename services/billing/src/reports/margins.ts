import type { GetMarginsRequest, GetMarginsResponse, Margin } from "@turnpike/proto/billing/v1/report_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import type { mongo } from "mongoose";
import { DAY_SECONDS, getDayStart } from "../store/calendar.ts";
import type { Collections } from "../store/collections.ts";
import type { StoredCostSums } from "../store/cost-sums.ts";

export type ReadMargins = ReturnType<typeof createMargins>;

const DAYS_MAX = 366;
const ROWS_MAX = 10_000;
const TIMEOUT_MS = 15_000;

/** The field to sum by, and the one that names its values. */
const FIELDS: Readonly<Record<string, { readonly key: string; readonly name?: string }>> = {
  channel: { key: "$channelId", name: "$channelName" },
  model: { key: "$modelName" },
  group: { key: "$group" },
  user: { key: "$userId", name: "$username" },
  day: { key: "$day" },
};

type Sums = Required<StoredCostSums> & { count: number; quota: number };
type Row = Sums & { readonly _id: string | number | null; readonly name: string | null };

const SUMS = Object.fromEntries(
  ["count", "quota", "refunded", "costCount", "costQuota", "cost"].map((field) => [field, { $sum: `$${field}` }]),
);

const toMargin = ({ _id, name, ...row }: Row): Margin => ({
  key: _id === null ? "" : String(_id),
  name: name ?? "",
  count: row.count,
  quota: row.quota,
  refunded: row.refunded,
  knownCount: row.costCount,
  knownQuota: row.costQuota,
  cost: row.cost,
});

const NO_MARGIN: Row = {
  _id: null,
  name: null,
  count: 0,
  quota: 0,
  refunded: 0,
  costCount: 0,
  costQuota: 0,
  cost: 0,
};

/** What calls were charged and what they cost, by one of `FIELDS`. Throws range_too_long, and invalid_input for another field. */
export function createMargins({ marginDays, userDays }: Pick<Collections, "marginDays" | "userDays">) {
  return async function readMargins(request: GetMarginsRequest): Promise<GetMarginsResponse> {
    const { by, startSeconds, endSeconds } = request;
    const fields = Object.hasOwn(FIELDS, by) ? FIELDS[by] : undefined;
    if (!fields) throw new AppError("invalid_input", "margins by an unknown field", { params: { detail: "by" } });
    if (endSeconds - startSeconds > DAYS_MAX * DAY_SECONDS)
      throw new AppError("range_too_long", "the range is too long", { params: { days: String(DAYS_MAX) } });
    const firstDay = getDayStart(Math.max(0, startSeconds));
    const limit = Math.min(ROWS_MAX, Math.max(1, request.limit));
    const name = fields.name === undefined ? { $last: "" } : { $last: fields.name };
    const order = by === "day" ? { _id: 1 } : { margin: 1, quota: -1, _id: 1 };
    const pipeline: mongo.Document[] = [
      { $match: { day: { $gte: firstDay, $lte: endSeconds } } },
      { $group: { _id: fields.key, name, ...SUMS } },
      {
        $facet: {
          rows: [{ $set: { margin: { $subtract: ["$costQuota", "$cost"] } } }, { $sort: order }, { $limit: limit }],
          total: [{ $group: { _id: null, rowCount: { $sum: 1 }, name: { $last: "" }, ...SUMS } }],
        },
      },
    ];
    const collection: Pick<mongo.Collection, "aggregate"> = by === "user" ? userDays : marginDays;
    const [found] = await collection
      .aggregate<{ rows: Row[]; total: (Row & { rowCount: number })[] }>(pipeline, { maxTimeMS: TIMEOUT_MS })
      .toArray();
    const total = found?.total[0];
    return {
      firstDay,
      rows: (found?.rows ?? []).map(toMargin),
      total: toMargin(total ?? NO_MARGIN),
      rowCount: total?.rowCount ?? 0,
    };
  };
}
