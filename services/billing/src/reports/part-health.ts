import { getRoutedModelName } from "@turnpike/contract/api/models/model-mapping";
import { latencyStep } from "@turnpike/contract/latency-scale";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { ClientSession } from "mongoose";
import { getHour } from "../store/calendar.ts";
import type { Collections } from "../store/collections.ts";
import type { HealthPart, PartHealthDoc } from "../store/report-documents.ts";
import { updateRows } from "../store/row-writes.ts";

/** Calls by latency bucket. */
type Steps = Record<string, number>;
/** The additions of a batch to one hour of a model or channel. */
export type PartHour = Required<Omit<PartHealthDoc, "expiresAt">>;

/** A week and the day that is read, so that an hour can be compared with the same one of the week before. */
const RETAINED_SECONDS = 8 * 86_400;
const SERVER_ERROR = 500;
/** Failures below 500 that are no fault of the caller: the upstream's account, its time limit, its rate limit. */
const UPSTREAM_FAULTS: ReadonlySet<number> = new Set([401, 402, 403, 408, 429]);
const IS_RETRIED = '"is_retried":true';

/** Adds calls to a bucket. */
export function countStep(steps: Steps, ms: number, weight: number): void {
  const step = String(latencyStep(ms));
  steps[step] = (steps[step] ?? 0) + weight;
}

/** A map of counts as increments of a document's field. */
export const toStepIncrements = (name: string, steps: Readonly<Steps> | undefined): Record<string, number> =>
  Object.fromEntries(Object.entries(steps ?? {}).map(([step, count]) => [`${name}.${step}`, count]));

type Times = { readonly totalMs: number; readonly firstTokenMs: number | undefined };

/**
 * Collects the calls and failures of each model and each channel by hour. A model fails when a call ends with an upstream's
 * error; a channel fails with every attempt. Calls that reached no channel are no failures of a model: callers may request
 * any name, and models that their group does not have.
 */
export function createPartSums(weight: 1 | -1) {
  const sums = new Map<string, PartHour>();
  const find = (by: HealthPart, key: string, seconds: number): PartHour => {
    const hour = getHour(seconds);
    const _id = `${hour}:${by}:${key}`;
    let sum = sums.get(_id);
    if (!sum) sums.set(_id, (sum = { _id, by, key, hour, count: 0, errors: 0, totalMs: 0, total: {}, firstToken: {} }));
    return sum;
  };
  const findModel = (record: UsageRecord): PartHour =>
    find("model", getRoutedModelName(record.modelName), record.createdAtSeconds);
  const findChannel = ({ channelId, createdAtSeconds }: UsageRecord): PartHour[] =>
    channelId > 0 ? [find("channel", String(channelId), createdAtSeconds)] : [];
  return {
    addCall(record: UsageRecord, { totalMs, firstTokenMs }: Times): void {
      for (const sum of [findModel(record), ...findChannel(record)]) {
        sum.count += weight;
        sum.totalMs += weight * totalMs;
        countStep(sum.total, totalMs, weight);
        if (firstTokenMs !== undefined) countStep(sum.firstToken, firstTokenMs, weight);
      }
    },
    addFailure(record: UsageRecord): void {
      if (record.channelId <= 0) return;
      for (const sum of findChannel(record)) sum.errors += weight;
      const status = record.errorStatus ?? SERVER_ERROR;
      const isUpstreams = status >= SERVER_ERROR || UPSTREAM_FAULTS.has(status);
      if (isUpstreams && !record.other.includes(IS_RETRIED)) findModel(record).errors += weight;
    },
    list: (): PartHour[] => [...sums.values()].toSorted((a, b) => (a._id < b._id ? -1 : 1)),
  };
}

/** Adds a batch's calls to the hours of models and channels, in the transaction that posts it. */
export async function writePartHealth(
  { partHealth }: Pick<Collections, "partHealth">,
  parts: readonly PartHour[],
  session: ClientSession,
): Promise<void> {
  await updateRows(
    partHealth,
    parts.map(({ _id, by, key, hour, count, errors, totalMs, total, firstToken }) => {
      const steps = { ...toStepIncrements("total", total), ...toStepIncrements("firstToken", firstToken) };
      const expiresAt = new Date((hour + RETAINED_SECONDS) * 1_000);
      const $setOnInsert = { by, key, hour, expiresAt };
      return { _id, change: { $inc: { count, errors, totalMs, ...steps }, $setOnInsert } };
    }),
    session,
  );
}
