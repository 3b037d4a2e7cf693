import { describe, expect, it } from "vitest";
import { type LimitArguments, useAccounts } from "./account-user.ts";

const user = useAccounts();

describe("settle and post scripts", () => {
  it("replaces the hold by the cost, and the entry by spending", async () => {
    const ann = user();
    await ann.load(100, { token: 5, budget: 50 });
    await ann.hold({ token: 5 });
    await ann.settle("r", 7, 5);
    expect(await ann.account()).toMatchObject({ spent: 0, held: 7 });
    expect(await ann.entry("r")).toMatchObject({ amount: 7, settled: true });
    await ann.post([100, 1, 7], [[5, 50, 1, 7]], "r");
    expect(await ann.account()).toMatchObject({ spent: 7, held: 0 });
    expect(await ann.token()).toMatchObject({ spent: 7, held: 0 });
  });

  it("counts once if repeated or late", async () => {
    const ann = user();
    await ann.load(100);
    for (const id of ["a", "b"]) {
      await ann.hold({ id });
      await ann.settle(id, 7);
    }
    await ann.post([100, 1, 14], [], "b");
    await ann.post([100, 1, 7], [], "a");
    await ann.post([100, 1, 7], [], "a");
    expect(await ann.account()).toEqual({ credits: 100, rev: 1, spent: 14, held: 0 });
  });

  it("drops the hold of a call that cost nothing", async () => {
    const ann = user();
    await ann.load(100);
    await ann.hold();
    await ann.settle("r", 0, 0, 0);
    expect(await ann.account()).toMatchObject({ held: 0 });
    expect(await ann.entry("r")).toBeUndefined();
  });

  it("posts free calls together with charged ones", async () => {
    const ann = user();
    await ann.load(100, { token: 5, budget: 50 });
    for (const [id, cost] of [
      ["free", 0],
      ["paid", 7],
      ["free too", 0],
    ] as const) {
      await ann.hold({ id, amount: cost, token: 5 });
      await ann.settle(id, cost, 5);
    }
    await ann.post([100, 1, 7], [[5, 50, 1, 7]], "free", "paid", "free too");
    expect(await ann.account()).toMatchObject({ spent: 7, held: 0 });
    expect(await ann.token()).toMatchObject({ spent: 7, held: 0 });
    for (const id of ["free", "paid", "free too"]) expect(await ann.entry(id)).toBeUndefined();
  });

  it("reverts an estimate of no tokens", async () => {
    const ann = user();
    await ann.load(100);
    await ann.hold({ limits: [["tpm", "tokens", 1_000, 60_000, 0]] });
    await ann.end("r", 1_500, [["tpm", "tokens", 60_000, 1, 0, 12]]);
    expect(await ann.entry("r")).toMatchObject({ amount: 1, settled: true });
  });

  it("creates no entry for a call that was posted while its settlement was delayed", async () => {
    const ann = user();
    await ann.load(1_000);
    await ann.settleLate("slow", 30);
    expect(await ann.entry("slow")).toBeUndefined();
    expect(await ann.account()).toMatchObject({ held: 0 });
    await ann.hold({ id: "held", amount: 50 });
    await ann.settleLate("held", 30);
    expect(await ann.entry("held")).toMatchObject({ amount: 30, settled: true });
    expect(await ann.account()).toMatchObject({ held: 30 });
  });

  it("changes nothing when a missing hold is released", async () => {
    const ann = user();
    await ann.load(1_000, { token: 5, budget: 60 });
    await ann.settle("never held", 0, 5, 0);
    expect(await ann.account()).toEqual({ credits: 1_000, rev: 1, spent: 0, held: 0 });
    expect(await ann.token()).toMatchObject({ held: 0 });
  });

  it("keeps an older revision of credits from overwriting a newer one", async () => {
    const ann = user();
    await ann.load(100, { rev: 5 });
    await ann.post([999, 4, 0], []);
    expect(await ann.account()).toMatchObject({ credits: 100, rev: 5 });
    await ann.post([150, 6, 0], []);
    expect(await ann.account()).toMatchObject({ credits: 150, rev: 6 });
  });
});

describe("batched settlements", () => {
  it("has the same effect as settling each", async () => {
    const ann = user();
    await ann.load(1_000, { token: 5, budget: 500 });
    const limits: LimitArguments[] = [["ok", "successes", 9, 60_000]];
    for (const id of ["a", "b", "c"]) await ann.hold({ id, token: 5, limits });
    await ann.hold({ id: "running", amount: 0, token: 5, limits });
    await ann.settleTogether(5, ["a", 3, 1], ["b", 25, 1], ["c", 0, 0], ["unheld", 4, 1]);
    expect(await ann.members("ok")).toEqual(["running"]);
    expect(await ann.account()).toMatchObject({ held: 32 });
    expect(await ann.token()).toMatchObject({ held: 32 });
    expect(await ann.entry("b")).toMatchObject({ amount: 25, settled: true, tokenId: 5 });
    expect(await ann.entry("c")).toBeUndefined();
    await ann.post([1_000, 1, 32], [[5, 500, 1, 32]], "a", "b", "unheld");
    expect(await ann.account()).toMatchObject({ held: 0, spent: 32 });
    expect(await ann.token()).toMatchObject({ held: 0, spent: 32 });
  });
});

describe("emptied Redis", () => {
  it("counts calls that settle before the account is loaded again", async () => {
    const ann = user();
    await ann.settle("r", 7, 5);
    expect(await ann.hold({ id: "next" })).toEqual(["account_missing"]);
    await ann.load(100, { spent: 20, token: 5, budget: 50 });
    expect(await ann.account()).toMatchObject({ spent: 20, held: 7 });
    expect(await ann.token()).toMatchObject({ held: 7 });
    await ann.post([100, 1, 27], [[5, 50, 1, 7]], "r");
    expect(await ann.account()).toEqual({ credits: 100, rev: 1, spent: 27, held: 0 });
  });

  it("stays unloaded if usage is posted meanwhile", async () => {
    const ann = user();
    await ann.post([100, 1, 7], [], "r");
    expect(await ann.account()).toEqual({});
  });
});

describe("spent that a correction lowered", () => {
  it("is taken although it is smaller, and no older figure overwrites it", async () => {
    const ann = user();
    await ann.load(100, { spent: 70 });
    await ann.post([100, 1, 30, 40], []);
    expect(await ann.account()).toMatchObject({ spent: 30, lowered: 40 });
    await ann.post([100, 1, 70, 0], []);
    await ann.load(100, { spent: 70 });
    expect(await ann.account()).toMatchObject({ spent: 30, lowered: 40 });
    await ann.post([100, 1, 35, 40], []);
    expect(await ann.account()).toMatchObject({ spent: 35, lowered: 40 });
  });
});

describe("sum of holds", () => {
  it("is rebuilt from the entries", async () => {
    const ann = user();
    await ann.load(100, { token: 5, budget: 50 });
    await ann.hold({ token: 5 });
    await ann.drift(35);
    expect(await ann.rebuild()).toBe(35);
    expect(await ann.rebuild(5)).toBe(0);
    expect(await ann.account()).toMatchObject({ held: 10 });
    await ann.drift(-4);
    await ann.load(100);
    expect(await ann.account()).toMatchObject({ held: 10 });
  });
});

describe("release of a hold", () => {
  it("reports calls whose entry is missing, which may be posted", async () => {
    const ann = user();
    await ann.load(100);
    await ann.hold();
    expect((await ann.settle("r", 0, 0, 0)).slice(4)).toEqual([]);
    expect((await ann.settle("r", 0, 0, 0)).slice(4)).toEqual(["r"]);
  });
});

describe("extend", () => {
  it("makes a hold again that Redis has lost, within the balance", async () => {
    const ann = user();
    await ann.load(100, { token: 5, budget: 60 });
    await ann.hold({ token: 5 });
    await ann.forget("acct", "open");
    expect(await ann.extend("r", 30, 5, '{"q":9}')).toBe(-1);
    await ann.load(100, { token: 5, budget: 60 });
    expect(await ann.extend("r", 70, 5, '{"q":9}')).toBe(0);
    expect(await ann.extend("r", 30, 5, '{"q":9}')).toBe(1);
    expect(await ann.entry("r")).toEqual({
      amount: 30,
      tokenId: 5,
      relayId: "relay-1",
      settled: false,
      json: '{"q":9}',
    });
    expect(await ann.account()).toMatchObject({ held: 30 });
    expect(await ann.token()).toMatchObject({ held: 30 });
  });

  it("restores a lost hold although other calls now hold all of the balance, and extends it only as far as it is covered", async () => {
    const ann = user();
    await ann.load(100, { token: 5, budget: 100 });
    await ann.hold({ id: "r", amount: 60, token: 5 });
    await ann.forget("acct", "open");
    await ann.load(100, { token: 5, budget: 100 });
    await ann.hold({ id: "other", amount: 90, token: 5 });
    expect(await ann.extendHeld("r", { amount: 60, held: 60 })).toBe(1);
    expect(await ann.entry("r")).toMatchObject({ amount: 60, settled: false });
    expect(await ann.account()).toMatchObject({ held: 150 });
    expect(await ann.token()).toMatchObject({ held: 150 });
    expect(await ann.extendHeld("r", { amount: 61, held: 60 })).toBe(0);
    expect(await ann.account()).toMatchObject({ held: 150 });
  });

  it("makes no hold again when it took seconds to arrive: its call may have ended", async () => {
    const ann = user();
    await ann.load(100);
    expect(await ann.extendLate("r", 30)).toBe(1);
    expect(await ann.entry("r")).toBeUndefined();
  });

  it("updates what a janitor needs, whether or not the balance covers more", async () => {
    const ann = user();
    await ann.load(100, { token: 5, budget: 50 });
    await ann.hold({ amount: 10, token: 5 });
    for (const amount of [30, 500, 5]) {
      await ann.extend("r", amount, 5, `{"q":${amount},"m":"x|y"}`);
      expect(await ann.entry("r")).toMatchObject({ amount: 30, json: `{"q":${amount},"m":"x|y"}` });
      expect(await ann.token()).toMatchObject({ held: 30 });
    }
  });

  it("raises a hold within the balance and keeps it if the balance is too small", async () => {
    const ann = user();
    await ann.load(100, { token: 5, budget: 40 });
    await ann.hold({ token: 5 });
    expect(await ann.extend("r", 30, 5)).toBe(1);
    expect(await ann.extend("r", 50, 5)).toBe(0);
    expect(await ann.account()).toMatchObject({ held: 30 });
    expect(await ann.entry("r")).toMatchObject({ amount: 30, json: '{"m":"x|y"}' });
  });
});
