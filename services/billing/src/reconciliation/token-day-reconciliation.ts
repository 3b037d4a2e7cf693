import { IN_SNAPSHOT } from "@turnpike/shared/mongo/mongo";
import type { ClientSession } from "mongoose";
import { DAY_SECONDS, TOKEN_DAY_TTL_SECONDS } from "../store/calendar.ts";
import type { Collections } from "../store/collections.ts";
import { exactSum, readExactSum } from "../store/sum-field.ts";
import type { Findings } from "./findings.ts";

/** No day total of a token that is younger has been deleted. */
const COMPLETE_SECONDS = TOKEN_DAY_TTL_SECONDS / 2;

type Sums = { readonly byToken: ReadonlyMap<number, bigint>; readonly firstDay: number };

/** The day totals of each token; their ids are those of `getDayId`. */
async function readSums(tokenDays: Collections["tokenDays"], session: ClientSession): Promise<Sums> {
  const part = (index: number) => ({ $toLong: { $arrayElemAt: [{ $split: ["$_id", ":"] }, index] } });
  const rows = tokenDays.aggregate<{ _id: number; quota: unknown; firstDay: number }>(
    [{ $group: { _id: part(1), quota: exactSum("quota"), firstDay: { $min: part(0) } } }],
    { session, ...IN_SNAPSHOT, allowDiskUse: true },
  );
  const byToken = new Map<number, bigint>();
  let firstDay = Number.POSITIVE_INFINITY;
  for await (const row of rows) {
    byToken.set(row._id, readExactSum(row.quota));
    firstDay = Math.min(firstDay, row.firstDay);
  }
  return { byToken, firstDay };
}

/**
 * Reconciles the day totals of tokens with what each token has spent here. Those of a token that is older than the totals, or than
 * a month, are a part of it.
 */
export async function reconcileTokenDays(
  { tokens, tokenDays }: Pick<Collections, "tokens" | "tokenDays">,
  session: ClientSession,
  findings: Findings,
): Promise<void> {
  const { byToken, firstDay } = await readSums(tokenDays, session);
  const completeFrom = Math.max(firstDay + DAY_SECONDS, Math.floor(Date.now() / 1_000) - COMPLETE_SECONDS);
  const fields = { projection: { spent: 1, openingSpent: 1, createdAt: 1 }, session, ...IN_SNAPSHOT };
  let parts = 0;
  for await (const { _id, spent, openingSpent = 0, createdAt } of tokens.find({}, fields)) {
    const [ofDays, used] = [byToken.get(_id) ?? 0n, BigInt(spent) - BigInt(openingSpent)];
    const isComplete = createdAt >= completeFrom;
    if (!isComplete) parts++;
    if (isComplete || ofDays > used) findings.same(`the quota of token ${_id} in the day totals`, ofDays, used);
  }
  findings.count("tokens with day totals", byToken.size);
  if (parts > 0) findings.skip(`the day totals of ${parts} older tokens: they must not be more than was spent in all`);
}
