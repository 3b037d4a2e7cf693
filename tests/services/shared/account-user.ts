import { Redis } from "ioredis";
import { afterAll, beforeAll } from "vitest";
import { accountKey, limitKey, openKey, parseOpenEntry, tokenKey } from "@turnpike/shared/accounts/account-keys";
import { POST_USAGE, EXTEND, HOLD, LOAD, SETTLE } from "@turnpike/shared/accounts/account-scripts";
import { testBacking } from "../../lib/backing/test-backing.ts";

let userId = 0;
/** Name; kind, max, period in ms, estimate, its second. */
export type LimitArguments = [string, kind: string, max: number, periodMs: number, guess?: number, second?: number];
/** Name; kind, period in ms, second of the estimate, estimate, used. */
export type EndArguments = [string, kind: string, periodMs: number, second?: number, guess?: number, used?: number];
const valuesOf = ([, kind, ...numbers]: LimitArguments | EndArguments): (string | number)[] => [
  kind,
  ...Array.from({ length: 4 }, (_, index) => numbers[index] ?? 0),
];
type Hold = {
  id?: string;
  amount?: number;
  least?: number;
  token?: number;
  now?: number;
  limits?: LimitArguments[];
};

/** A new user for running the scripts. */
function createUser(redis: Redis) {
  const id = ++userId;
  const keys = (token: number): string[] => [accountKey(id), openKey(id), tokenKey(id, token)];
  const run = (script: string, names: string[], ...args: (string | number)[]): Promise<unknown> =>
    redis.eval(script, names.length, ...names, ...args);
  return {
    load: (credits: number, { rev = 1, spent = 0, token = 0, budget = 0, tokenRev = 1, tokenSpent = 0 } = {}) =>
      run(LOAD, keys(token), credits, rev, spent, token, budget, tokenRev, tokenSpent),
    hold: ({ id: request = "r", amount = 10, least = amount, token = 0, now = 1_000, limits = [] }: Hold = {}) =>
      run(
        HOLD,
        [...keys(token), ...limits.map(([name]) => limitKey(id, name))],
        token,
        "relay-1",
        now,
        ...limits.flatMap(valuesOf),
        request,
        amount,
        least,
        '{"m":"x|y"}',
      ),
    holdTogether: ({ now = 1_000, limits = [] }: Hold, ...calls: [string, number, number][]) =>
      run(
        HOLD,
        [...keys(5), ...limits.map(([name]) => limitKey(id, name))],
        5,
        "relay-1",
        now,
        ...limits.flatMap(valuesOf),
        ...calls.flatMap(([request, amount, least]) => [request, amount, least, "{}"]),
      ),
    settle: (request: string, amount: number, token = 0, keep: 0 | 1 = 1) =>
      run(SETTLE, keys(token), token, "relay-1", Date.now(), request, amount, "{}", keep),
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
        SETTLE,
        [...keys(0), ...limits.map(([name]) => limitKey(id, name))],
        0,
        "relay-1",
        now,
        ...limits.flatMap(valuesOf),
        request,
        1,
        "{}",
        keep,
      ),
    recorded: (name: string) => redis.llen(limitKey(id, name)),
    members: (name: string) => redis.zrangebyscore(limitKey(id, name), "-inf", "+inf"),
    extend: (request: string, amount: number, token = 0, ...json: string[]) =>
      run(EXTEND, keys(token), request, amount, ...json),
    post: ([credits, rev, spent]: [number, number, number], tokens: number[][], ...requests: string[]) =>
      run(POST_USAGE, [accountKey(id), openKey(id)], credits, rev, spent, tokens.length, ...tokens.flat(), ...requests),
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
