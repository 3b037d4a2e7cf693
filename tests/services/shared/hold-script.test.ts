import { describe, expect, it } from "vitest";
import { type EndArguments, type LimitArguments, useAccounts } from "./account-user.ts";

const user = useAccounts();

describe("hold script", () => {
  it("requests a load if the account or the token's budget is missing", async () => {
    const ann = user();
    expect(await ann.hold()).toEqual(["account_missing"]);
    await ann.load(100);
    expect(await ann.hold({ token: 5 })).toEqual(["token_missing"]);
  });

  it("admits exactly what the balance covers, however many calls are concurrent", async () => {
    const ann = user();
    await ann.load(200);
    const replies = (await Promise.all(Array.from({ length: 100 }, (_, index) => ann.hold({ id: `r${index}` })))) as [
      string,
      number,
    ][];
    expect(replies.filter(([outcome]) => outcome === "ok")).toHaveLength(20);
    expect(replies.filter(([outcome]) => outcome === "user_quota")).toHaveLength(80);
    expect(await ann.account()).toEqual({ credits: 200, rev: 1, spent: 0, held: 200 });
  });

  it("holds against the token's budget as well", async () => {
    const ann = user();
    await ann.load(1_000, { token: 5, budget: 25 });
    expect(await ann.hold({ id: "a", token: 5, amount: 20 })).toEqual(["ok", 980, 20, 5]);
    expect(await ann.hold({ id: "b", token: 5, amount: 20 })).toEqual(["token_quota", 5, 0, 0]);
    expect(await ann.token()).toMatchObject({ held: 20 });
  });

  it("holds the minimum amount if the preferred one is not covered", async () => {
    const ann = user();
    await ann.load(30);
    expect(await ann.hold({ amount: 100, least: 20 })).toEqual(["ok", 10, 20, -1]);
    expect(await ann.hold({ id: "b", amount: 100, least: 20 })).toEqual(["user_quota", 10, 0, 0]);
  });

  it("admits free calls at any balance", async () => {
    const ann = user();
    await ann.load(0);
    expect(await ann.hold({ amount: 0 })).toEqual(["ok", 0, 0, -1]);
  });

  it("stores what the janitor needs in the entry", async () => {
    const ann = user();
    await ann.load(100);
    await ann.hold();
    expect(await ann.entry("r")).toEqual({
      amount: 10,
      tokenId: 0,
      relayId: "relay-1",
      settled: false,
      json: '{"m":"x|y"}',
    });
  });
});

describe("second hold of a request id", () => {
  it("replaces the first one in both balances", async () => {
    const ann = user();
    await ann.load(100, { token: 5, budget: 60 });
    await ann.hold({ id: "a", token: 5, amount: 40 });
    expect(await ann.hold({ id: "a", token: 5, amount: 50 })).toEqual(["ok", 50, 50, 10]);
    expect(await ann.hold({ id: "a", token: 5, amount: 10 })).toEqual(["ok", 90, 10, 50]);
    expect(await ann.entry("a")).toMatchObject({ amount: 10 });
    expect([(await ann.account())["held"], (await ann.token())["held"]]).toEqual([10, 10]);
    await ann.settle("a", 7, 5);
    expect([await ann.rebuild(), await ann.rebuild(5)]).toEqual([0, 0]);
  });

  it("keeps the first one if it is refused", async () => {
    const ann = user();
    await ann.load(100);
    await ann.hold({ id: "a", amount: 40 });
    expect(await ann.hold({ id: "a", amount: 101 })).toEqual(["user_quota", 100, 0, 0]);
    expect(await ann.account()).toMatchObject({ held: 40 });
  });

  it("counts once for the account, also for another token or within one batch", async () => {
    const ann = user();
    await ann.load(100, { token: 5, budget: 60 });
    await ann.hold({ id: "a", amount: 40 });
    await ann.hold({ id: "a", token: 5, amount: 30 });
    expect([(await ann.account())["held"], (await ann.token())["held"]]).toEqual([30, 30]);
    await ann.holdTogether({}, ["b", 10, 10], ["b", 20, 20]);
    expect([await ann.rebuild(), await ann.rebuild(5)]).toEqual([0, 0]);
  });
});

describe("batched holds", () => {
  it("admits each call as if it were held separately, in order", async () => {
    const ann = user();
    await ann.load(100, { token: 5, budget: 60 });
    const replies = await ann.holdTogether({}, ["a", 30, 30], ["b", 40, 20], ["c", 20, 20], ["d", 10, 10], ["e", 0, 0]);
    expect(replies).toEqual(
      [
        ["ok", 70, 30, 30],
        ["ok", 50, 20, 10],
        ["token_quota", 10, 0, 0],
        ["ok", 40, 10, 0],
        ["ok", 40, 0, 0],
      ].flat(),
    );
    expect(await ann.account()).toMatchObject({ held: 60 });
    expect(await ann.token()).toMatchObject({ held: 60 });
    expect(await ann.entry("b")).toMatchObject({ amount: 20, tokenId: 5, settled: false });
    expect(await ann.entry("c")).toBeUndefined();
  });

  it("counts every call against a limit", async () => {
    const ann = user();
    await ann.load(1_000, { token: 5, budget: 500 });
    const limits: LimitArguments[] = [["t", "starts", 2, 1_000]];
    const replies = await ann.holdTogether({ limits }, ["a", 1, 1], ["b", 1, 1], ["c", 1, 1]);
    expect(replies).toEqual(["ok", 999, 1, 499, "ok", 998, 1, 498, "limited", 0, 1_000, 0]);
  });
});

describe("clock of limits", () => {
  it("is that of Redis: a relay whose clock is a minute ahead or behind moves no window", async () => {
    const ann = user();
    await ann.load(1_000);
    const limits: LimitArguments[] = [["t", "starts", 1, 1_000]];
    expect(await ann.hold({ id: "a", now: 100_000, limits })).toMatchObject({ 0: "ok" });
    expect(await ann.hold({ id: "b", now: 100_100, sentAt: 160_100, limits })).toEqual(["limited", 0, 900, 0]);
    expect(await ann.hold({ id: "c", now: 101_000, sentAt: 100_990, limits })).toMatchObject({ 0: "ok" });
  });

  it("refuses a hold that took seconds to arrive, whose call is refused already", async () => {
    const ann = user();
    await ann.load(1_000);
    expect(await ann.hold({ now: 100_000, sentAt: 97_000 })).toEqual(["late", 100_000]);
    expect(await ann.account()).toMatchObject({ held: 0 });
    expect(await ann.entry("r")).toBeUndefined();
  });
});

describe("request limit", () => {
  it("admits max calls in any window of the period, and returns how long to wait", async () => {
    const ann = user();
    await ann.load(1_000);
    const limits: LimitArguments[] = [["t", "starts", 2, 1_000]];
    const at = (now: number) => ann.hold({ id: `r${now}`, now, limits });
    expect(await at(10_000)).toMatchObject({ 0: "ok" });
    expect(await at(10_600)).toMatchObject({ 0: "ok" });
    expect(await at(10_900)).toEqual(["limited", 0, 100, 0]);
    expect(await at(11_001)).toMatchObject({ 0: "ok" });
    expect(await at(11_500)).toEqual(["limited", 0, 100, 0]);
  });

  it("holds nothing when it refuses", async () => {
    const ann = user();
    await ann.load(1_000);
    const limits: LimitArguments[] = [["t", "starts", 1, 1_000]];
    await ann.hold({ id: "a", limits });
    await ann.hold({ id: "b", limits });
    expect(await ann.account()).toMatchObject({ held: 10 });
  });
});

describe("success limit", () => {
  const limits: LimitArguments[] = [["s", "successes", 2, 1_000]];
  const failed: EndArguments[] = [["s", "successes", 1_000]];

  it("counts calls that may still succeed, and no failed ones", async () => {
    const ann = user();
    await ann.load(10_000);
    const at = (id: string, now: number) => ann.hold({ id, now, limits }) as Promise<unknown[]>;
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => at(`r${index}`, 10_000)));
    expect(replies.filter(([outcome]) => outcome === "ok")).toHaveLength(2);
    await ann.end("r0", 10_100, failed, 0);
    expect(await at("next", 10_200)).toMatchObject({ 0: "ok" });
    expect(await at("late", 10_300)).toEqual(["limited", 0, 700, 0]);
  });

  it("admits the next call when the oldest is one period old, and returns how long that is", async () => {
    const ann = user();
    await ann.load(10_000);
    for (const now of [10_000, 10_400]) await ann.hold({ id: `r${now}`, now, limits });
    const wide: LimitArguments[] = [["s", "successes", 3, 1_000]];
    expect(await ann.hold({ id: "wide", now: 10_500, limits: wide })).toMatchObject({ 0: "ok" });
    expect(await ann.hold({ id: "late", now: 10_900, limits })).toEqual(["limited", 0, 500, 0]);
    expect(await ann.hold({ id: "late", now: 11_399, limits })).toEqual(["limited", 0, 1, 0]);
    expect(await ann.hold({ id: "late", now: 11_400, limits })).toMatchObject({ 0: "ok" });
  });
});

describe("limit shared by groups with different values", () => {
  it("counts every start in the longest window, whichever limit recorded it", async () => {
    const ann = user();
    await ann.load(1_000);
    const wide: LimitArguments[] = [["m", "starts", 3, 10_000]];
    const narrow: LimitArguments[] = [["m", "starts", 1, 10_000]];
    expect(await ann.hold({ id: "a", now: 1_000, limits: narrow })).toMatchObject({ 0: "ok" });
    expect(await ann.hold({ id: "b", now: 2_000, limits: wide })).toMatchObject({ 0: "ok" });
    expect(await ann.hold({ id: "c", now: 3_000, limits: wide })).toMatchObject({ 0: "ok" });
    expect(await ann.hold({ id: "d", now: 4_000, limits: wide })).toEqual(["limited", 0, 7_000, 0]);
    expect(await ann.hold({ id: "e", now: 11_500, limits: narrow })).toEqual(["limited", 0, 1_500, 0]);
    expect(await ann.recorded("m")).toBe(3);
    expect(await ann.hold({ id: "f", now: 13_000, limits: narrow })).toMatchObject({ 0: "ok" });
    expect(await ann.recorded("m")).toBe(1);
  });
});

describe("concurrency limit", () => {
  const limits: LimitArguments[] = [["c", "running", 2, 20_000]];

  it("admits exactly max concurrent calls, and one more for each that ends, successful or not", async () => {
    const ann = user();
    await ann.load(10_000);
    const at = (id: string, now: number) => ann.hold({ id, now, limits }) as Promise<unknown[]>;
    const replies = await Promise.all(Array.from({ length: 20 }, (_, index) => at(`r${index}`, 1_000)));
    expect(replies.filter(([outcome]) => outcome === "ok")).toHaveLength(2);
    expect(replies.at(-1)).toEqual(["limited", 0, 1_000, 0]);
    await ann.end("r0", 2_000, [["c", "running", 20_000]]);
    expect(await at("next", 2_000)).toMatchObject({ 0: "ok" });
    await ann.end("r1", 2_000, [["c", "running", 20_000]], 0);
    expect(await at("then", 2_000)).toMatchObject({ 0: "ok" });
    expect(await at("late", 2_000)).toMatchObject({ 0: "limited" });
  });

  it("releases the slot of a dead relay after the period", async () => {
    const ann = user();
    await ann.load(10_000);
    await ann.hold({ id: "a", now: 1_000, limits });
    await ann.hold({ id: "b", now: 2_000, limits });
    expect(await ann.hold({ id: "c", now: 20_999, limits })).toMatchObject({ 0: "limited" });
    expect(await ann.hold({ id: "c", now: 21_000, limits })).toMatchObject({ 0: "ok" });
  });

  it("counts batched calls one by one", async () => {
    const ann = user();
    await ann.load(1_000, { token: 5, budget: 500 });
    const replies = (await ann.holdTogether({ limits }, ["a", 1, 1], ["b", 1, 1], ["c", 1, 1])) as unknown[];
    expect([replies[0], replies[4], replies[8]]).toEqual(["ok", "ok", "limited"]);
  });
});

describe("token limit", () => {
  const limit = (guess: number): LimitArguments[] => [["n", "tokens", 100, 60_000, guess]];
  const used = (second: number, guess: number, tokens: number): EndArguments[] => [
    ["n", "tokens", 60_000, second, guess, tokens],
  ];

  it("counts open calls with their estimate and ended ones with their usage", async () => {
    const ann = user();
    await ann.load(10_000);
    expect(await ann.hold({ id: "a", now: 10_000, limits: limit(60) })).toMatchObject({ 0: "ok" });
    expect(await ann.hold({ id: "b", now: 10_500, limits: limit(60) })).toEqual(["limited", 0, 60_500, 0]);
    await ann.end("a", 12_000, used(10, 60, 30));
    expect(await ann.hold({ id: "b", now: 12_500, limits: limit(60) })).toMatchObject({ 0: "ok" });
    await ann.end("b", 13_000, used(12, 60, 70));
    expect(await ann.hold({ id: "c", now: 14_000, limits: limit(1) })).toEqual(["limited", 0, 59_000, 0]);
    expect(await ann.hold({ id: "c", now: 73_001, limits: limit(1) })).toMatchObject({ 0: "ok" });
  });

  it("admits a call larger than the limit if nothing was used", async () => {
    const ann = user();
    await ann.load(10_000);
    expect(await ann.hold({ id: "a", now: 10_000, limits: limit(500) })).toMatchObject({ 0: "ok" });
    expect(await ann.hold({ id: "b", now: 10_000, limits: limit(1) })).toMatchObject({ 0: "limited" });
  });

  it("removes the estimate of a call that used nothing", async () => {
    const ann = user();
    await ann.load(10_000);
    await ann.hold({ id: "a", now: 10_000, limits: limit(90) });
    await ann.end("a", 11_000, used(10, 90, 0), 0);
    expect(await ann.hold({ id: "b", now: 12_000, limits: limit(100) })).toMatchObject({ 0: "ok" });
  });

  it("admits only as many concurrent calls as fit", async () => {
    const ann = user();
    await ann.load(10_000);
    const replies = (await Promise.all(
      Array.from({ length: 20 }, (_, index) => ann.hold({ id: `r${index}`, now: 10_000, limits: limit(30) })),
    )) as unknown[][];
    expect(replies.filter(([outcome]) => outcome === "ok")).toHaveLength(3);
  });
});
