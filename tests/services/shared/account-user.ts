import { Redis } from "ioredis";
import { afterAll, beforeAll } from "vitest";
import { accountKey, limitKey, openKey, parseOpenEntry, tokenKey } from "@turnpike/shared/accounts/account-keys";
import { LOAD, POST_USAGE, REBUILD_HELD } from "@turnpike/shared/accounts/balance-scripts";
import { EXTEND, SETTLE } from "@turnpike/shared/accounts/call-scripts";
import { HOLD } from "@turnpike/shared/accounts/hold-script";
import { testBacking } from "../../lib/backing/test-backing.ts";

let userId = 0;
/** Name; kind, max, period in ms, estimate. */
export type LimitArguments = [string, kind: string, max: number, periodMs: number, guess?: number];
/** Name; kind, period in ms, second of the estimate, estimate, used. */
export type EndArguments = [string, kind: string, periodMs: number, second?: number, guess?: number, used?: number];
const readValues = ([, kind, ...numbers]: LimitArguments | EndArguments, count: number): (string | number)[] => [
  kind,
  ...Array.from({ length: count }, (_, index) => numbers[index] ?? 0),
];
const holdValues = (limit: LimitArguments): (string | number)[] => readValues(limit, 3);
const endValues = (limit: EndArguments): (string | number)[] => readValues(limit, 4);
/** The script as it runs at a time of Redis in ms. */
const at = (script: string, now: number): string =>
  script.replace("redis.call('TIME')", `{'${Math.floor(now / 1000)}', '${(now % 1000) * 1000}'}`);
type Hold = {
  id?: string;
  amount?: number;
  least?: number;
  token?: number;
  now?: number;
  /** When the relay sent it, by the clock of Redis; 0 when it does not know that. */
  sentAt?: number;
  limits?: LimitArguments[];
};

/** A new user for running the scripts. */
function createUser(redis: Redis) {
  const id = ++userId;
  const keys = (token: number): string[] => [accountKey(id), openKey(id), tokenKey(id, token)];
  const run = (script: string, names: string[], ...args: (string | number)[]): Promise<unknown> =>
    redis.eval(script, names.length, ...names, ...args);
  return {
    load: (
      credits: number,
      { rev = 1, spent = 0, lowered = 0, token = 0, budget = 0, tokenRev = 1, tokenSpent = 0 } = {},
    ) => run(LOAD, keys(token), credits, rev, spent, lowered, token, budget, tokenRev, tokenSpent, 0),
    hold: async ({ id: request = "r", amount = 10, least = amount, token = 0, ...rest }: Hold = {}) => {
      const { now = 1_000, sentAt = 0, limits = [] } = rest;
      const replies = (await run(
        at(HOLD, now),
        [...keys(token), ...limits.map(([name]) => limitKey(id, name))],
        token,
        "relay-1",
        sentAt,
        ...limits.flatMap(holdValues),
        request,
        amount,
        least,
        '{"m":"x|y"}',
      )) as unknown[];
      // What is left of each limit, and the time, follow the results of the calls.
      return replies.length > 2 ? replies.slice(0, -1 - limits.length) : replies;
    },
    holdTogether: async ({ now = 1_000, limits = [] }: Hold, ...calls: [string, number, number][]) => {
      const replies = (await run(
        at(HOLD, now),
        [...keys(5), ...limits.map(([name]) => limitKey(id, name))],
        5,
        "relay-1",
        0,
        ...limits.flatMap(holdValues),
        ...calls.flatMap(([request, amount, least]) => [request, amount, least, "{}"]),
      )) as unknown[];
      return replies.slice(0, -1 - limits.length);
    },
    settle: (request: string, amount: number, token = 0, keep: 0 | 1 = 1) =>
      run(SETTLE, keys(token), token, "relay-1", Date.now(), request, amount, "{}", keep) as Promise<unknown[]>,
    /** A settlement that was delayed by five seconds. */
    settleLate: (request: string, amount: number) =>
      run(SETTLE, keys(0), 0, "relay-1", Date.now() - 5_000, request, amount, "{}", 1),
    settleTogether: (token: number, ...calls: [string, number, 0 | 1][]) =>
      run(
        SETTLE,
        [...keys(token), limitKey(id, "ok")],
        token,
        "relay-1",
        Date.now(),
        "successes",
        60_000,
        0,
        0,
        0,
        ...calls.flatMap(([request, amount, keep]) => [request, amount, "{}", keep]),
      ),
    end: (request: string, now: number, limits: EndArguments[], keep: 0 | 1 = 1) =>
      run(
        at(SETTLE, now),
        [...keys(0), ...limits.map(([name]) => limitKey(id, name))],
        0,
        "relay-1",
        0,
        ...limits.flatMap(endValues),
        request,
        1,
        "{}",
        keep,
      ),
    recorded: (name: string) => redis.llen(limitKey(id, name)),
    members: (name: string) => redis.zrangebyscore(limitKey(id, name), "-inf", "+inf"),
    extend: (request: string, amount: number, token = 0, json = "") =>
      run(EXTEND, keys(token), request, amount, token, "relay-1", json, 0, 0),
    /** An extension of a call that held some before. */
    extendHeld: (request: string, { amount, held }: { amount: number; held: number }) =>
      run(EXTEND, keys(5), request, amount, 5, "relay-1", "{}", 0, held),
    /** An extension that was delayed by five seconds. */
    extendLate: (request: string, amount: number) =>
      run(EXTEND, keys(0), request, amount, 0, "relay-1", "{}", Date.now() - 5_000, 0),
    post: ([credits, rev, spent, lowered = 0]: number[], tokens: number[][], ...requests: string[]) =>
      run(
        POST_USAGE,
        [accountKey(id), openKey(id), ...tokens.map(([token = 0]) => tokenKey(id, token))],
        credits ?? 0,
        rev ?? 0,
        spent ?? 0,
        lowered,
        ...tokens.flatMap((token) => [...token, 0]),
        ...requests,
      ),
    /** Sums `held` of the account, or of a token, again; returns by how much it was wrong. */
    rebuild: (token?: number) =>
      run(REBUILD_HELD, [token === undefined ? accountKey(id) : tokenKey(id, token), openKey(id)], token ?? ""),
    /** Loses what Redis knew of this user, as after a crash or an eviction. */
    forget: (...names: ("acct" | "open")[]) =>
      redis.del(...names.map((name) => (name === "acct" ? accountKey(id) : openKey(id)))),
    drift: (by: number) => redis.hincrby(accountKey(id), "held", by),
    account: async () =>
      Object.fromEntries(
        Object.entries(await redis.hgetall(accountKey(id))).map(([name, value]) => [name, Number(value)]),
      ),
    token: async (token = 5) =>
      Object.fromEntries(
        Object.entries(await redis.hgetall(tokenKey(id, token))).map(([name, value]) => [name, Number(value)]),
      ),
    entry: async (request: string) => parseOpenEntry((await redis.hget(openKey(id), request)) ?? ""),
  };
}

/** Creates users in this file's Redis namespace; to be called outside of tests. */
export function useAccounts(): () => ReturnType<typeof createUser> {
  let redis: Redis;
  beforeAll(() => {
    const { redisUrl, namespace } = testBacking();
    redis = new Redis(redisUrl, { keyPrefix: `${namespace}:` });
  });
  afterAll(() => redis.quit());
  return () => createUser(redis);
}
