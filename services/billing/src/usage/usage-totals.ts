import { LOG_TYPE } from "@turnpike/contract/codes";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import { getDayId, getSumIds } from "../store/sum-ids.ts";
import { addCost, type CostSums, noCostSums } from "../store/cost-sums.ts";
import { getDayStart, getHour, getQuarter } from "../store/calendar.ts";
import type { Quarter, QuarterSums } from "../store/sum-documents.ts";

type CallSums = { quota: number; count: number };
type HourSums = CallSums &
  CostSums & {
    hour: number;
    modelName: string;
    promptTokens: number;
    completionTokens: number;
    quarters: Partial<Record<Quarter, QuarterSums>>;
  };

/** The totals of a batch of records, by target; every list is sorted by its key. */
export type UsageTotals = {
  readonly accounts: readonly (CallSums & { readonly userId: number; readonly lastSeconds: number })[];
  readonly tokens: readonly (CallSums & { readonly tokenId: number; readonly lastSeconds: number })[];
  readonly tokenDays: readonly { readonly id: string; readonly day: number; readonly quota: number }[];
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

const isQuarter = (quarter: number): quarter is Quarter => quarter >= 1 && quarter <= 3;

/** Adds a call to the quarter of its hour; the first has no sum of its own. */
function addQuarter(quarters: HourSums["quarters"], record: UsageRecord, weight: 1 | -1): void {
  const quarter = getQuarter(record.createdAtSeconds);
  if (!isQuarter(quarter)) return;
  const sums = (quarters[quarter] ??= { count: 0, quota: 0, tokens: 0 });
  sums.count += weight;
  sums.quota += weight * record.quota;
  sums.tokens += weight * (record.promptTokens + record.completionTokens);
}

/**
 * Sums the consumption among the records, or with a weight of -1 what takes it back; two replicas that write in this
 * order cannot deadlock.
 */
export function totalUsage(records: readonly UsageRecord[], weight: 1 | -1 = 1): UsageTotals {
  const accounts = new Map<number, CallSums & { userId: number; lastSeconds: number }>();
  const tokens = new Map<number, CallSums & { tokenId: number; lastSeconds: number }>();
  const tokenDays = new Map<string, { id: string; day: number; quota: number }>();
  const channels = new Map<number, CallSums & { channelId: number }>();
  const rollups = new Map<string, HourSums & { id: string; userId: number; username: string }>();
  const siteRollups = new Map<string, HourSums & { id: string }>();
  for (const record of records) {
    if (record.type !== LOG_TYPE.consume) continue;
    const { userId, tokenId, channelId, modelName, username } = record;
    const hour = getHour(record.createdAtSeconds);
    const zero = (): CallSums => ({ quota: 0, count: 0 });
    const zeroHour = (): HourSums => ({
      ...zero(),
      ...noCostSums(),
      hour,
      modelName,
      promptTokens: 0,
      completionTokens: 0,
      quarters: {},
    });
    const { siteHour, userHour } = getSumIds(record);
    const hours = [
      getOrCreate(rollups, userHour, () => ({ ...zeroHour(), id: userHour, userId, username })),
      getOrCreate(siteRollups, siteHour, () => ({ ...zeroHour(), id: siteHour })),
    ];
    const account = getOrCreate(accounts, userId, () => ({ ...zero(), userId, lastSeconds: 0 }));
    account.lastSeconds = Math.max(account.lastSeconds, record.createdAtSeconds);
    const sums: CallSums[] = [account, ...hours];
    if (channelId > 0) sums.push(getOrCreate(channels, channelId, () => ({ ...zero(), channelId })));
    if (tokenId > 0) {
      const token = getOrCreate(tokens, tokenId, () => ({ ...zero(), tokenId, lastSeconds: 0 }));
      token.lastSeconds = Math.max(token.lastSeconds, record.createdAtSeconds);
      sums.push(token);
      const day = getDayStart(record.createdAtSeconds);
      const id = getDayId(day, tokenId);
      getOrCreate(tokenDays, id, () => ({ id, day, quota: 0 })).quota += weight * record.quota;
    }
    for (const sum of sums) {
      sum.quota += weight * record.quota;
      sum.count += weight;
    }
    for (const each of hours) {
      each.promptTokens += weight * record.promptTokens;
      each.completionTokens += weight * record.completionTokens;
      addCost(each, record, weight);
      addQuarter(each.quarters, record, weight);
    }
  }
  return {
    accounts: [...accounts.values()].toSorted(byNumber("userId")),
    tokens: [...tokens.values()].toSorted(byNumber("tokenId")),
    tokenDays: [...tokenDays.values()].toSorted(byId),
    channels: [...channels.values()].toSorted(byNumber("channelId")),
    rollups: [...rollups.values()].toSorted(byId),
    siteRollups: [...siteRollups.values()].toSorted(byId),
  };
}
