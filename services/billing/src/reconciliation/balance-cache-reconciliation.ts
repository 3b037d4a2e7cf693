import { accountKey, openKey, parseOpenEntry, tokenKey } from "@turnpike/shared/accounts/account-keys";
import type { Redis } from "@turnpike/shared/redis/redis";
import type { Collections } from "../store/collections.ts";
import type { Findings } from "./findings.ts";

const SCAN_COUNT = 1_000;
const TRIES_MAX = 5;
const PAUSE_MS = 200;
const STALE_SECONDS = 3_600;

const toNumber = (text: string | null | undefined): number => Number(text ?? 0);

/**
 * Compares the balances loaded in Redis with MongoDB's: equal credits, no more spent than is posted (equal once the
 * stream is drained), holds equal to those of the open calls. A running system changes between two reads, so a
 * difference counts only when it persists.
 */
export async function reconcileBalanceCache(
  redis: Redis,
  { accounts, tokens }: Collections,
  findings: Findings,
  isDrained: () => Promise<boolean>,
): Promise<void> {
  const prefix = redis.options.keyPrefix ?? "";

  const scan = async (pattern: string, run: (key: string) => Promise<void>): Promise<void> => {
    let cursor = "0";
    do {
      const from = cursor;
      const [next, keys] = await redis.scan(from, "MATCH", `${prefix}${pattern}`, "COUNT", SCAN_COUNT);
      for (const key of keys) await run(key.slice(prefix.length));
      cursor = next;
    } while (cursor !== "0");
  };
  const findDifferences = async (userId: number): Promise<string[]> => {
    const [credits, rev, spent, held] = await redis.hmget(accountKey(userId), "credits", "rev", "spent", "held");
    const open = await redis.hgetall(openKey(userId));
    const account = await accounts.findOne({ _id: userId });
    if (credits === null || credits === undefined) return [];
    const who = `user ${userId}`;
    if (!account) return [`${who} is loaded in Redis but has no account`];
    const entries = Object.values(open).map((text) => parseOpenEntry(text)?.amount ?? 0);
    const sum = entries.reduce((total, amount) => total + amount, 0);
    const isSame = (await isDrained()) ? toNumber(spent) === account.spent : toNumber(spent) <= account.spent;
    return [
      ...(toNumber(rev) === account.rev && toNumber(credits) === account.credits
        ? []
        : [`${who}: credits ${credits} in Redis, ${account.credits} in MongoDB`]),
      ...(isSame ? [] : [`${who}: spent ${toNumber(spent)} in Redis, ${account.spent} in MongoDB`]),
      ...(toNumber(held) === sum ? [] : [`${who}: held ${toNumber(held)} in Redis, but open calls hold ${sum}`]),
    ];
  };
  const findTokenDifferences = async (userId: number, tokenId: number): Promise<string[]> => {
    const [budget, spent] = await redis.hmget(tokenKey(userId, tokenId), "budget", "spent");
    const token = await tokens.findOne({ _id: tokenId });
    if (budget === null || budget === undefined || !token || token.deletedAt > 0) return [];
    const isSame = (await isDrained()) ? toNumber(spent) === token.spent : toNumber(spent) <= token.spent;
    return toNumber(budget) === token.budget && isSame
      ? []
      : [`token ${tokenId}: ${budget}/${spent ?? 0} in Redis, ${token.budget}/${token.spent} in MongoDB`];
  };
  const lasting = async (look: () => Promise<string[]>): Promise<void> => {
    for (let attempt = 1; ; attempt++) {
      const differences = await look();
      if (differences.length === 0) return;
      if (attempt === TRIES_MAX) return differences.forEach((text) => findings.problem(text));
      await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    }
  };
  await scan("acct:*", async (key) => {
    const userId = Number(/^acct:\{(\d+)\}$/.exec(key)?.[1] ?? 0);
    if (userId === 0) return;
    findings.count("accounts in Redis");
    await lasting(() => findDifferences(userId));
  });
  await scan("tok:*", async (key) => {
    const [, userId, tokenId] = /^tok:\{(\d+)\}:(\d+)$/.exec(key) ?? [];
    if (userId === undefined) return;
    findings.count("token budgets in Redis");
    await lasting(() => findTokenDifferences(Number(userId), Number(tokenId)));
  });
  const before = Date.now() / 1000 - STALE_SECONDS;
  await scan("open:*", async (key) => {
    for (const [requestId, text] of Object.entries(await redis.hgetall(key))) {
      findings.count("open calls");
      const at = Number(/"at":(\d+)/.exec(text)?.[1] ?? 0);
      if (at < before) findings.problem(`call ${requestId} of ${key} stands open for more than an hour`);
    }
  });
}
