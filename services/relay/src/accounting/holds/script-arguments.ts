import { accountKey, limitKey, openKey, tokenKey } from "@turnpike/shared/accounts/account-keys";
import type { Balance, HoldResponse, HoldRequest } from "./account-requests.ts";
import type { Held } from "./hold-releases.ts";
import { UNKNOWN_TIME } from "./redis-clock.ts";
import { getRepeatableLimits, type Limit, settleArguments, toGroupText } from "./limits/limit-arguments.ts";

/** Calls that may share one script: same user, token and limits. */
export function getGroupId({ userId, tokenId, limits }: Omit<Held, "requestId">): string {
  const own = `${userId}:${tokenId}`;
  return limits.length === 0 ? own : `${own}:${toGroupText(limits)}`;
}

/** The values per call in the hold script's reply. */
const VALUES = 4;
type Values = readonly [outcome: unknown, first: number, second: number, third: number];

/** Reads the response for the call at `index` of a hold script's batch. */
export function toHoldResponse(request: HoldRequest, reply: readonly unknown[], index: number): HoldResponse {
  const values = reply.slice(index * VALUES, (index + 1) * VALUES) as unknown as Values;
  const [outcome, first, second, third] = values;
  if (outcome === "ok")
    return { outcome: "held", available: first, amount: second, tokenAvailable: third < 0 ? undefined : third };
  if (outcome === "user_quota" || outcome === "token_quota") return { outcome, available: first };
  const limit = request.limits[first];
  return outcome === "limited" && limit ? { outcome, limit, waitMs: second } : { outcome: "not_loaded" };
}

/** What is left of each of a hold's limits: the values before the last one. */
export const getRemaining = (reply: readonly unknown[], limits: number): readonly number[] =>
  reply.slice(-1 - limits, -1).map(Number);

/** The keys of a script, after their number. */
export const getKeys = (userId: number, tokenId: number, limits: readonly Limit[]): (string | number)[] => [
  3 + limits.length,
  accountKey(userId),
  openKey(userId),
  tokenKey(userId, tokenId),
  ...limits.map((limit) => limitKey(userId, limit.name)),
];

/** The settle script's arguments that drop a hold. */
export function dropArguments({ requestId, userId, tokenId, limits }: Held, relayId: string) {
  const repeatable = getRepeatableLimits(limits);
  const args = [
    ...getKeys(userId, tokenId, repeatable),
    tokenId,
    relayId,
    UNKNOWN_TIME,
    ...settleArguments(repeatable, 0),
  ];
  return [...args, requestId, 0, "", 0];
}

/** Reads the reply of the settle script. */
export function toSettled(reply: unknown): {
  readonly balance: Balance;
  readonly nowMs: number;
  /** An entry was not made because the command seemed to be late. */
  readonly isUnmade: boolean;
  /** Ids of released calls that had no entry, or one that the janitor has claimed. */
  readonly lost: readonly string[];
} {
  const [available = 0, left = -1, nowMs = 0, unmade = 0, ...lost] = reply as number[];
  const balance = { available, tokenAvailable: left < 0 ? undefined : left };
  return { balance, nowMs, isUnmade: unmade === 1, lost: lost.map(String) };
}
