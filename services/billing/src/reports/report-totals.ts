import { LOG_TYPE } from "@turnpike/contract/codes";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { countStep, createPartSums, type PartHour } from "./part-health.ts";
import { getDayStart, getHour } from "../store/calendar.ts";
import { getSumIds } from "../store/sum-ids.ts";
import { addCost, type CostSums, noCostSums } from "../store/cost-sums.ts";
import type { ChannelDayDoc, HourHealthDoc, MarginDayDoc, UserDayDoc } from "../store/report-documents.ts";

const SECOND_MS = 1_000;
const SERVER_ERROR = 500;
const TOTAL_MS = /"use_time_ms":(\d+)/;
const FIRST_TOKEN_MS = /"frt":(\d+)/;

/** A batch's additions to the reports; every list is sorted by its key. */
export type ReportTotals = {
  readonly hours: readonly HourHealthDoc[];
  readonly parts: readonly PartHour[];
  readonly channels: readonly (ChannelDayDoc & CostSums)[];
  readonly users: readonly (UserDayDoc & CostSums)[];
  readonly margins: readonly (MarginDayDoc & CostSums)[];
};

// Extracting two figures from a row's details this way costs a tenth of parsing them, for every call.
const figure = (pattern: RegExp, other: string): number | undefined => {
  const found = pattern.exec(other)?.[1];
  return found === undefined ? undefined : Number(found);
};

function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

type Hour = Required<HourHealthDoc>;

function addCall(
  record: UsageRecord,
  sums: {
    hour: Hour;
    parts: ReturnType<typeof createPartSums>;
    channel: (ChannelDayDoc & CostSums) | undefined;
    user: UserDayDoc & CostSums;
    margin: MarginDayDoc & CostSums;
  },
  weight: 1 | -1,
): void {
  const tokens = record.promptTokens + record.completionTokens;
  const totalMs = figure(TOTAL_MS, record.other) ?? record.useTimeSeconds * SECOND_MS;
  for (const sum of [sums.channel, sums.user, sums.margin]) {
    if (!sum) continue;
    sum.count += weight;
    sum.quota += weight * record.quota;
    addCost(sum, record, weight);
  }
  sums.user.tokens += weight * tokens;
  if (sums.channel) sums.channel.tokens += weight * tokens;
  if (sums.channel) sums.channel.totalMs += weight * totalMs;
  sums.hour.count += weight;
  countStep(sums.hour.total, totalMs, weight);
  const firstTokenMs = record.isStream ? figure(FIRST_TOKEN_MS, record.other) : undefined;
  if (firstTokenMs !== undefined) countStep(sums.hour.firstToken, firstTokenMs, weight);
  sums.parts.addCall(record, { totalMs, firstTokenMs });
}

/**
 * Sums for the reports: calls and failed attempts by hour (also of each model and channel), by channel and day, by user
 * and day; with a weight of -1 what takes them back.
 */
export function totalReports(records: readonly UsageRecord[], weight: 1 | -1 = 1): ReportTotals {
  const hours = new Map<number, Hour>();
  const parts = createPartSums(weight);
  const channels = new Map<string, ChannelDayDoc & CostSums>();
  const users = new Map<string, UserDayDoc & CostSums>();
  const margins = new Map<string, MarginDayDoc & CostSums>();
  for (const record of records) {
    if (record.type !== LOG_TYPE.consume && record.type !== LOG_TYPE.error) continue;
    const { userId, username, channelId, channelName, createdAtSeconds } = record;
    const [id, day] = [getHour(createdAtSeconds), getDayStart(createdAtSeconds)];
    const zero = { count: 0, quota: 0, ...noCostSums() };
    const hour = getOrCreate(hours, id, () => ({ _id: id, count: 0, errors: 0, total: {}, firstToken: {} }));
    const { channelDay, userDay, marginDay } = getSumIds(record);
    const channel =
      channelId > 0
        ? getOrCreate(channels, channelDay, () => {
            return { _id: channelDay, day, channelId, channelName, ...zero, tokens: 0, errors: 0, totalMs: 0 };
          })
        : undefined;
    if (record.type === LOG_TYPE.error) {
      // Callers whose calls are refused by their own limits are no failures of the site.
      if (channel || (record.errorStatus ?? SERVER_ERROR) >= SERVER_ERROR) hour.errors += weight;
      if (channel) channel.errors += weight;
      parts.addFailure(record);
      continue;
    }
    const user = getOrCreate(users, userDay, () => ({ _id: userDay, day, userId, username, ...zero, tokens: 0 }));
    const margin = getOrCreate(margins, marginDay, () => {
      const { group, modelName } = record;
      return { _id: marginDay, day, channelId, channelName, group, modelName, ...zero };
    });
    addCall(record, { hour, parts, channel, user, margin }, weight);
  }
  const byId = (a: { _id: string }, b: { _id: string }): number => (a._id < b._id ? -1 : a._id > b._id ? 1 : 0);
  return {
    hours: [...hours.values()].toSorted((a, b) => a._id - b._id),
    parts: parts.list(),
    channels: [...channels.values()].toSorted(byId),
    users: [...users.values()].toSorted(byId),
    margins: [...margins.values()].toSorted(byId),
  };
}
