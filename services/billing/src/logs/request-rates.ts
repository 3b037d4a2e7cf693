import { LOG_TYPE } from "@turnpike/contract/codes";
import type { UsageRecord } from "@turnpike/shared/events/relay";
import type { ClientSession } from "mongoose";
import type { Collections } from "../store/collections.ts";
import type { SecondDoc } from "../store/sum-documents.ts";
import { updateRows } from "../store/row-writes.ts";

const RETAINED_SECONDS = 300;
const TIMEOUT_MS = 3_000;

/** Model names contain dots, which have another meaning in a path. */
const escaped = (name: string): string => encodeURIComponent(name).replaceAll(".", "%2E");

const PLACES_MAX = 5_000;
type Place = { readonly count: string; readonly sum: string };
const places = new Map<string, Place>();
/** Caches the paths of counters: the same few keys recur in every batch. */
function findPage(kind: "m" | "c" | "g", name: string): Place {
  const key = `${kind}${name}`;
  let place = places.get(key);
  if (!place) {
    if (places.size >= PLACES_MAX) places.clear();
    const part = `${kind}.${escaped(name)}`;
    places.set(key, (place = { count: `${part}.n`, sum: `${part}.t` }));
  }
  return place;
}

/** Adds calls of the last minutes to the seconds in which they ended; older seconds are never queried. */
export function sumCallsBySecond(
  records: readonly UsageRecord[],
  nowSeconds: number,
): Map<number, Record<string, number>> {
  const seconds = new Map<number, Record<string, number>>();
  for (const record of records) {
    const { createdAtSeconds, modelName, channelId, group, promptTokens, completionTokens } = record;
    if (record.type !== LOG_TYPE.consume || createdAtSeconds < nowSeconds - RETAINED_SECONDS) continue;
    let inc = seconds.get(createdAtSeconds);
    if (!inc) seconds.set(createdAtSeconds, (inc = {}));
    const tokens = promptTokens + completionTokens;
    const sums = inc;
    const add = (count: string, sum: string): void => {
      sums[count] = (sums[count] ?? 0) + 1;
      sums[sum] = (sums[sum] ?? 0) + tokens;
    };
    add("rows", "tokens");
    const parts: Place[] = [];
    if (modelName !== "") parts.push(findPage("m", modelName));
    if (group !== "") parts.push(findPage("g", group));
    if (channelId > 0) parts.push(findPage("c", String(channelId)));
    for (const { count, sum } of parts) add(count, sum);
  }
  return seconds;
}

/** Adds such sums, in the transaction that posts the calls. */
export async function writeCallsBySecond(
  { logSeconds }: Pick<Collections, "logSeconds">,
  seconds: ReadonlyMap<number, Record<string, number>>,
  session: ClientSession,
): Promise<void> {
  const rows = [...seconds]
    .toSorted(([a], [b]) => a - b)
    .map(([_id, $inc]) => {
      const expiresAt = new Date((_id + RETAINED_SECONDS) * 1000);
      return { _id, change: { $inc, $setOnInsert: { expiresAt } } };
    });
  await updateRows(logSeconds, rows, session);
}

/** The queried dimension: at most one; models may be several. */
export type RateFilter = { readonly models?: readonly string[]; readonly channel?: number; readonly group?: string };

const getParts = (doc: SecondDoc, { models, channel, group }: RateFilter) => {
  if (models) return models.map((name) => doc.m?.[escaped(name)]);
  if (channel !== undefined) return [doc.c?.[String(channel)]];
  if (group !== undefined) return [doc.g?.[escaped(group)]];
  return [{ n: doc.rows, t: doc.tokens }];
};

/** Calls and tokens since a time within the last minutes. */
export async function readCallRates(
  { logSeconds }: Pick<Collections, "logSeconds">,
  sinceSeconds: number,
  which: RateFilter,
): Promise<{ rpm: number; tpm: number }> {
  const docs = await logSeconds.find({ _id: { $gte: sinceSeconds } }, { maxTimeMS: TIMEOUT_MS }).toArray();
  const parts = docs.flatMap((doc) => getParts(doc, which));
  return {
    rpm: parts.reduce((sum, part) => sum + (part?.n ?? 0), 0),
    tpm: parts.reduce((sum, part) => sum + (part?.t ?? 0), 0),
  };
}
