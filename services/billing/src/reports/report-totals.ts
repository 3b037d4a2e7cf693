import { latencyStep } from "@turnpike/contract/latency-scale";
import { LOG_TYPE } from "@turnpike/contract/limits";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { getDayStart, getHour } from "../store/calendar.ts";
import type { ChannelDayDoc, HourHealthDoc, UserDayDoc } from "../store/report-documents.ts";

const SECOND_MS = 1_000;
const TOTAL_MS = /"use_time_ms":(\d+)/;
const FIRST_TOKEN_MS = /"frt":(\d+)/;

/** A batch's additions to the reports; every list is sorted by its key. */
export type ReportTotals = {
  readonly hours: readonly HourHealthDoc[];
  readonly channels: readonly ChannelDayDoc[];
  readonly users: readonly UserDayDoc[];
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

const count = (steps: Record<string, number>, ms: number): void => {
  const step = String(latencyStep(ms));
  steps[step] = (steps[step] ?? 0) + 1;
};

type Hour = Required<HourHealthDoc>;

function addCall(
  record: UsageRecord,
  sums: { hour: Hour; channel: ChannelDayDoc | undefined; user: UserDayDoc },
): void {
  const tokens = record.promptTokens + record.completionTokens;
  const totalMs = figure(TOTAL_MS, record.other) ?? record.useTimeSeconds * SECOND_MS;
  for (const sum of [sums.channel, sums.user]) {
    if (!sum) continue;
    sum.count += 1;
    sum.quota += record.quota;
    sum.tokens += tokens;
  }
  if (sums.channel) sums.channel.totalMs += totalMs;
  sums.hour.count += 1;
  count(sums.hour.total, totalMs);
  const firstTokenMs = record.isStream ? figure(FIRST_TOKEN_MS, record.other) : undefined;
  if (firstTokenMs !== undefined) count(sums.hour.firstToken, firstTokenMs);
}

/** Sums for the reports: calls and failed attempts by hour, by channel and day, by user and day. */
export function totalReports(records: readonly UsageRecord[]): ReportTotals {
  const hours = new Map<number, Hour>();
  const channels = new Map<string, ChannelDayDoc>();
  const users = new Map<string, UserDayDoc>();
  for (const record of records) {
    if (record.type !== LOG_TYPE.consume && record.type !== LOG_TYPE.error) continue;
    const { userId, username, channelId, channelName, createdAtSeconds } = record;
    const [id, day] = [getHour(createdAtSeconds), getDayStart(createdAtSeconds)];
    const zero = { count: 0, quota: 0, tokens: 0 };
    const hour = getOrCreate(hours, id, () => ({ _id: id, count: 0, errors: 0, total: {}, firstToken: {} }));
    const channelDay = `${day}:${channelId}`;
    const channel =
      channelId > 0
        ? getOrCreate(channels, channelDay, () => {
            return { _id: channelDay, day, channelId, channelName, ...zero, errors: 0, totalMs: 0 };
          })
        : undefined;
    if (record.type === LOG_TYPE.error) {
      hour.errors += 1;
      if (channel) channel.errors += 1;
      continue;
    }
    const userDay = `${day}:${userId}`;
    const user = getOrCreate(users, userDay, () => ({ _id: userDay, day, userId, username, ...zero }));
    addCall(record, { hour, channel, user });
  }
  const byId = (a: { _id: string }, b: { _id: string }): number => (a._id < b._id ? -1 : a._id > b._id ? 1 : 0);
  return {
    hours: [...hours.values()].toSorted((a, b) => a._id - b._id),
    channels: [...channels.values()].toSorted(byId),
    users: [...users.values()].toSorted(byId),
  };
}
