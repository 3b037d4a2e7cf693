import { accountKey, openKey, parseOpenEntry, tokenKey } from "@turnpike/shared/accounts/account-keys";
import { scanKeys } from "@turnpike/shared/redis/scan";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Collections } from "../store/collections.ts";
import type { Findings } from "./findings.ts";

const ATTEMPTS_MAX = 5;
const PAUSE_MS = 200;
const STALE_SECONDS = 3_600;

const toNumber = (text: string | null | undefined): number => Number(text ?? 0);

type Deps = {
  readonly redis: Redis;
  readonly collections: Pick<Collections, "accounts" | "tokens">;
  readonly findings: Findings;
  /** Whether the usage stream holds no record that is not posted. */
  readonly isDrained: () => Promise<boolean>;
};

/** Runs for each key that matches a pattern, one after another. */
async function forEachKey(redis: Redis, pattern: string, run: (key: string) => Promise<void>): Promise<void> {
  for await (const keys of scanKeys(redis, pattern)) for (const key of keys) await run(key);
}

/** Reports differences that persist: a running system changes between two reads. */
async function reportLasting(find: () => Promise<string[]>, findings: Findings): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const differences = await find();
    if (differences.length === 0) return;
    if (attempt === ATTEMPTS_MAX) return differences.forEach((text) => findings.problem(text));
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** No more spent than is posted, and equal once the stream is drained. */
const isSpentPosted = async (spent: number, posted: number, { isDrained }: Deps): Promise<boolean> =>
  (await isDrained()) ? spent === posted : spent <= posted;

async function findAccountDifferences(userId: number, deps: Deps): Promise<string[]> {
  const { redis, collections } = deps;
  const [credits, rev, spent, held] = await redis.hmget(accountKey(userId), "credits", "rev", "spent", "held");
  const open = await redis.hgetall(openKey(userId));
  const account = await collections.accounts.findOne({ _id: userId });
  if (credits === null || credits === undefined) return [];
  const subject = `user ${userId}`;
  if (!account) return [`${subject} is loaded in Redis but has no account`];
  const entries = Object.values(open).map((text) => parseOpenEntry(text)?.amount ?? 0);
  const sum = entries.reduce((total, amount) => total + amount, 0);
  const isSame = await isSpentPosted(toNumber(spent), account.spent, deps);
  return [
    ...(toNumber(rev) === account.rev && toNumber(credits) === account.credits
      ? []
      : [`${subject}: credits ${credits} in Redis, ${account.credits} in MongoDB`]),
    ...(isSame ? [] : [`${subject}: spent ${toNumber(spent)} in Redis, ${account.spent} in MongoDB`]),
    ...(toNumber(held) === sum ? [] : [`${subject}: held ${toNumber(held)} in Redis, but open calls hold ${sum}`]),
  ];
}

async function findTokenDifferences(userId: number, tokenId: number, deps: Deps): Promise<string[]> {
  const [budget, spent, held] = await deps.redis.hmget(tokenKey(userId, tokenId), "budget", "spent", "held");
  const open = await deps.redis.hgetall(openKey(userId));
  const token = await deps.collections.tokens.findOne({ _id: tokenId });
  if (budget === null || budget === undefined || !token || token.deletedAt > 0) return [];
  const isSame = await isSpentPosted(toNumber(spent), token.spent, deps);
  const sum = Object.values(open)
    .map(parseOpenEntry)
    .reduce((total, entry) => total + (entry?.tokenId === tokenId ? entry.amount : 0), 0);
  return [
    ...(toNumber(budget) === token.budget && isSame
      ? []
      : [`token ${tokenId}: ${budget}/${spent ?? 0} in Redis, ${token.budget}/${token.spent} in MongoDB`]),
    ...(toNumber(held) === sum ? [] : [`token ${tokenId}: held ${held ?? 0} in Redis, but open calls hold ${sum}`]),
  ];
}

async function reportStaleCalls(key: string, { redis, findings }: Deps): Promise<void> {
  const before = Date.now() / 1000 - STALE_SECONDS;
  for (const [requestId, text] of Object.entries(await redis.hgetall(key))) {
    findings.count("open calls");
    const at = Number(/"at":(\d+)/.exec(text)?.[1] ?? 0);
    if (at < before) findings.problem(`call ${requestId} of ${key} has been open for more than an hour`);
  }
}

/**
 * Compares the balances loaded in Redis with MongoDB's: equal credits, no more spent than is posted (equal once the
 * stream is drained), holds equal to those of the open calls.
 */
export async function reconcileBalanceCache(deps: Deps): Promise<void> {
  const { redis, findings } = deps;
  await forEachKey(redis, "acct:*", async (key) => {
    const userId = Number(/^acct:\{(\d+)\}$/.exec(key)?.[1] ?? 0);
    if (userId === 0) return;
    findings.count("accounts in Redis");
    await reportLasting(() => findAccountDifferences(userId, deps), findings);
  });
  await forEachKey(redis, "tok:*", async (key) => {
    const [, userId, tokenId] = /^tok:\{(\d+)\}:(\d+)$/.exec(key) ?? [];
    if (userId === undefined) return;
    findings.count("token budgets in Redis");
    await reportLasting(() => findTokenDifferences(Number(userId), Number(tokenId), deps), findings);
  });
  await forEachKey(redis, "open:*", (key) => reportStaleCalls(key, deps));
}
