import { LOG_TYPE } from "@turnpike/contract/limits";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { getHour } from "../store/calendar.ts";

type CallSums = { quota: number; count: number };
type HourSums = CallSums & { hour: number; modelName: string; promptTokens: number; completionTokens: number };

/** The totals of a batch of records, by target; every list is sorted by its key. */
export type UsageTotals = {
  readonly accounts: readonly (CallSums & { readonly userId: number })[];
  readonly tokens: readonly (CallSums & { readonly tokenId: number; readonly lastSeconds: number })[];
  readonly channels: readonly (CallSums & { readonly channelId: number })[];
  readonly rollups: readonly (HourSums & { readonly id: string; readonly userId: number; readonly username: string })[];
  readonly siteRollups: readonly (HourSums & { readonly id: string })[];
};

function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

const byNumber =
  <Name extends string>(name: Name) =>
  (a: Readonly<Record<Name, number>>, b: Readonly<Record<Name, number>>): number =>
    a[name] - b[name];
const byId = (a: { readonly id: string }, b: { readonly id: string }): number =>
  a.id < b.id ? -1 : a.id > b.id ? 1 : 0;

/** Sums the consumption among the records; two replicas that write in this order cannot deadlock. */
export function totalUsage(records: readonly UsageRecord[]): UsageTotals {
  const accounts = new Map<number, CallSums & { userId: number }>();
  const tokens = new Map<number, CallSums & { tokenId: number; lastSeconds: number }>();
  const channels = new Map<number, CallSums & { channelId: number }>();
  const rollups = new Map<string, HourSums & { id: string; userId: number; username: string }>();
  const siteRollups = new Map<string, HourSums & { id: string }>();
  for (const record of records) {
    if (record.type !== LOG_TYPE.consume) continue;
    const { userId, tokenId, channelId, modelName, username } = record;
    const hour = getHour(record.createdAtSeconds);
    const zero = (): CallSums => ({ quota: 0, count: 0 });
    const zeroHour = (): HourSums => ({ ...zero(), hour, modelName, promptTokens: 0, completionTokens: 0 });
    const siteId = `${hour}:${modelName}`;
    const userHourId = `${userId}:${siteId}`;
    const hours = [
      getOrCreate(rollups, userHourId, () => ({ ...zeroHour(), id: userHourId, userId, username })),
      getOrCreate(siteRollups, siteId, () => ({ ...zeroHour(), id: siteId })),
    ];
    const sums: CallSums[] = [getOrCreate(accounts, userId, () => ({ ...zero(), userId })), ...hours];
    if (channelId > 0) sums.push(getOrCreate(channels, channelId, () => ({ ...zero(), channelId })));
    if (tokenId > 0) {
      const token = getOrCreate(tokens, tokenId, () => ({ ...zero(), tokenId, lastSeconds: 0 }));
      token.lastSeconds = Math.max(token.lastSeconds, record.createdAtSeconds);
      sums.push(token);
    }
    for (const sum of sums) {
      sum.quota += record.quota;
      sum.count += 1;
    }
    for (const each of hours) {
      each.promptTokens += record.promptTokens;
      each.completionTokens += record.completionTokens;
    }
  }
  return {
    accounts: [...accounts.values()].toSorted(byNumber("userId")),
    tokens: [...tokens.values()].toSorted(byNumber("tokenId")),
    channels: [...channels.values()].toSorted(byNumber("channelId")),
    rollups: [...rollups.values()].toSorted(byId),
    siteRollups: [...siteRollups.values()].toSorted(byId),
  };
}
