import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type CallResult, runCalls } from "../../fault/calls.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { isSettled } from "../../lib/settled.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { startWorld, type World } from "../../lib/world.ts";

type Table = Readonly<Record<string, number>>;

const MODEL = "gpt-4o";
const MOVES = 50;
/** $0.01 per call. */
const QUOTA_PER_CALL = 5_000;

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

const readTable = async (key: string): Promise<Table> => {
  const options = await testSite.root.get<{ key: string; value: string }[]>("/api/option/");
  return JSON.parse(options.find((option) => option.key === key)?.value ?? "{}") as Table;
};

/** Logged cost of the calls, each once. */
async function readQuotas(calls: readonly CallResult[]): Promise<ReadonlyMap<string, number>> {
  await expect.poll(() => isSettled(world), { timeout: 30_000 }).toBe(true);
  const quotas = new Map<string, number>();
  for (let page = 1; ; page++) {
    const { items, total } = await testSite.logs({ type: 2, p: page });
    for (const { request_id: id, quota } of items) {
      if (quotas.has(id)) throw new Error(`two log rows for the call ${id}`);
      quotas.set(id, quota);
    }
    if (items.length === 0 || page * 100 >= total) break;
  }
  expect(calls.filter(({ requestId }) => !quotas.has(requestId))).toEqual([]);
  return quotas;
}

describe("model that moves between per-token and per-call price under load", () => {
  it(`is never refused and always charged at one of its two prices, over ${MOVES} moves`, async () => {
    const { key } = await testSite.token({ unlimited_quota: true });
    const without = (table: Table): Table =>
      Object.fromEntries(Object.entries(table).filter(([name]) => name !== MODEL));
    const ratios = without(await readTable("ModelRatio"));
    const completions = without(await readTable("CompletionRatio"));
    const perCall = without(await readTable("ModelPrice"));
    const save = (tables: Readonly<Record<string, Table>>) =>
      testSite.root.put("/api/option/batch", {
        options: Object.entries(tables).map(([name, table]) => ({ key: name, value: JSON.stringify(table) })),
      });
    const moveToCall = () =>
      save({ ModelRatio: ratios, CompletionRatio: completions, ModelPrice: { ...perCall, [MODEL]: 0.01 } });
    const moveToTokens = () =>
      save({
        ModelPrice: perCall,
        ModelRatio: { ...ratios, [MODEL]: 1.25 },
        CompletionRatio: { ...completions, [MODEL]: 4 },
      });
    // A retry begins where the first attempt failed.
    await moveToTokens();
    const { revision } = await testSite.root.get<{ revision: number }>("/api/option/prices");
    const load = [false, true].map((stream) =>
      runCalls({ url: world.relayUrl, key, count: 250, stream, overMs: 15_000 }),
    );
    const moving = (async () => {
      for (let move = 0; move < MOVES; move++) {
        await (move % 2 === 0 ? moveToCall() : moveToTokens());
        await new Promise((resolve) => setTimeout(resolve, 150));
      }
    })();
    const [calls] = await Promise.all([Promise.all(load).then((lists) => lists.flat()), moving]);
    expect(calls.filter(({ outcome }) => outcome !== "served")).toEqual([]);
    const quotas = await readQuotas(calls);
    const prices = calls.map(({ requestId, quota }) => ({ charged: quotas.get(requestId), tokens: quota }));
    expect(prices.filter(({ charged, tokens }) => charged !== QUOTA_PER_CALL && charged !== tokens)).toEqual([]);
    // Both prices were in force while calls ran.
    expect(prices.some(({ charged }) => charged === QUOTA_PER_CALL)).toBe(true);
    expect(prices.some(({ charged, tokens }) => charged === tokens)).toBe(true);
    const after = await testSite.root.get<{ revision: number }>("/api/option/prices");
    expect(after.revision).toBe(revision + MOVES);
  }, 120_000);

  it("accepts only the changed entries as well, and shows every change in the history", async () => {
    const { revision } = await testSite.root.put<{ revision: number }>("/api/option/prices", {
      changes: [
        { key: "ModelRatio", remove: [MODEL] },
        { key: "ModelPrice", set: { [MODEL]: 0.02 } },
      ],
    });
    const change = { changes: [{ key: "ModelPrice", set: { [MODEL]: 0.03 } }], revision: revision - 1 };
    await expect(testSite.root.put("/api/option/prices", change)).rejects.toThrow(/prices_changed/);
    expect((await readTable("ModelPrice"))[MODEL]).toBe(0.02);
    const { items } = await testSite.root.get<{ items: { key: string; after: string | null }[] }>(
      `/api/option/price_history?name=${MODEL}&page_size=1`,
    );
    // The ratio was the built-in one: nothing was set that could be removed.
    expect(items.map(({ key, after }) => [key, after])).toEqual([["ModelPrice", "0.02"]]);
  });
});
