import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runCalls } from "../../fault/calls.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import type { ConsoleClient } from "../../lib/console-client.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { isSettled } from "../../lib/settled.ts";
import { openTestSite, type TestSite, type TestUser } from "../../lib/test-site.ts";
import { startWorld, type World } from "../../lib/world.ts";

const PRICED = "two-administrators-model";
const CHANGES_EACH = 20;
const CALLS = 300;
const BALANCE = 50_000_000;
/** In ModelRatio; binary fractions, so that sums are exact. */
const PRICE_STEP = 0.25;
/** In quota units. */
const AMOUNTS = [1_000, -300] as const;

type PriceBook = {
  readonly revision: number;
  readonly options: readonly { readonly key: string; readonly value: string }[];
};
type PriceRow = { readonly before: string | null; readonly after: string | null; readonly actor_name: string };
type AuditRow = { readonly target: string };
type LedgerRow = { readonly amount: number };

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
let customer: TestUser;
let token: { id: number; key: string };
const administrators: { readonly name: string; readonly client: ConsoleClient }[] = [];
const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
const times = Array.from({ length: CHANGES_EACH }, (_, index) => index);

async function addAdministrator(): Promise<void> {
  const { id, username, password } = await testSite.createUser(0);
  await testSite.root.post("/api/user/manage", { id, action: "promote" });
  // A promoted user has to sign in again.
  const client = world.visitor();
  await client.login(username, password);
  administrators.push({ name: username, client });
}

/** Adds to the price on the revision it was read at; reads it again where another change came first. */
async function raisePrice(client: ConsoleClient): Promise<void> {
  for (;;) {
    const { revision, entries } = await readPrices(client);
    const set = { [PRICED]: (entries[PRICED] ?? 0) + PRICE_STEP };
    const body = { changes: [{ key: "ModelRatio", set }], revision };
    const response = await client.call("PUT", "/api/option/prices", { body });
    if (response.success) return;
    expect(response.code).toBe("prices_changed");
  }
}

async function readPrices(client: ConsoleClient) {
  const { revision, options } = await client.get<PriceBook>("/api/option/prices");
  const table = options.find(({ key }) => key === "ModelRatio")?.value ?? "{}";
  return { revision, entries: JSON.parse(table) as Record<string, number> };
}

/** Every second request is sent twice, as after a lost response. */
async function addToBalance(client: ConsoleClient, index: number, amount: number): Promise<void> {
  const action = `top-up-${index}`;
  const body = { id: customer.id, quota_change: amount, quota_note: action, action_id: action };
  await client.put("/api/user/", body);
  if (index % 2 === 1) await client.put("/api/user/", body);
}

async function addToToken(client: ConsoleClient, session: string, index: number, amount: number): Promise<void> {
  const body = { id: token.id, name: "test", expired_time: -1, quota_change: amount, action_id: `${session}-${index}` };
  await client.put("/api/token/", body);
}

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  await addAdministrator();
  await addAdministrator();
  customer = await testSite.createUser(BALANCE);
  token = await testSite.token({ remain_quota: BALANCE }, customer.client);
  await testSite.root.put("/api/option/prices", { changes: [{ key: "ModelRatio", set: { [PRICED]: 1 } }] });
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

describe("two administrators who change one price and one balance at the same time under load", () => {
  it("lose no change", async () => {
    const second = world.visitor();
    await second.login(customer.username, customer.password);
    const owners = [customer.client, second];
    const load = [false, true].map((stream) =>
      runCalls({ url: world.relayUrl, key: token.key, count: CALLS / 2, stream, overMs: 8_000 }),
    );
    const { revision } = await readPrices(testSite.root);
    const changed = administrators.map(async ({ client }, who) => {
      for (const index of times) {
        await raisePrice(client);
        await addToBalance(client, index, AMOUNTS[who] ?? 0);
        await addToToken(owners[who] ?? second, `session-${who}`, index, AMOUNTS[who] ?? 0);
      }
    });
    const [lists] = await Promise.all([Promise.all(load), ...changed]);
    const calls = lists.flat();
    expect(calls.filter(({ outcome }) => outcome !== "served")).toEqual([]);
    const after = await readPrices(testSite.root);
    expect(after.revision).toBe(revision + 2 * CHANGES_EACH);
    expect(after.entries[PRICED]).toBe(1 + 2 * CHANGES_EACH * PRICE_STEP);
    await expect.poll(() => isSettled(world), { timeout: 30_000 }).toBe(true);
    const spent = sum(calls.map(({ quota }) => quota));
    const left = BALANCE + CHANGES_EACH * sum(AMOUNTS) - spent;
    const { quota } = await testSite.root.get<{ quota: number }>(`/api/user/${customer.id}`);
    expect(quota).toBe(left);
    const { remain_quota } = await customer.client.get<{ remain_quota: number }>(`/api/token/${token.id}`);
    expect(remain_quota).toBe(left);
  }, 120_000);

  it("find each change of the price in its history, every one on top of the one before", async () => {
    const page = await testSite.root.get<{ items: PriceRow[]; total: number }>("/api/option/price_history", {
      name: PRICED,
      p: 1,
      page_size: 100,
    });
    const steps = page.items.toReversed().slice(1);
    expect(steps).toHaveLength(2 * CHANGES_EACH);
    expect(steps.map(({ before }) => Number(before))).toEqual(steps.map((_, index) => 1 + index * PRICE_STEP));
    expect(steps.map(({ after }) => Number(after))).toEqual(steps.map((_, index) => 1 + (index + 1) * PRICE_STEP));
    for (const { name } of administrators)
      expect(steps.filter(({ actor_name: actor }) => actor === name)).toHaveLength(CHANGES_EACH);
  });

  it("find each amount once in the ledger, also those that were sent twice", async () => {
    const { items } = await testSite.root.get<{ items: LedgerRow[] }>("/api/ledger/", {
      user_id: customer.id,
      p: 1,
      page_size: 100,
    });
    for (const amount of AMOUNTS) expect(items.filter((row) => row.amount === amount)).toHaveLength(CHANGES_EACH);
  });

  it.each([
    ["price", "option.set", "option:ModelRatio"],
    ["balance", "user.quota", () => `user:${customer.id}`],
  ])("find each change of the %s once in the audit log, under their own names", async (_, action, target) => {
    const named = typeof target === "string" ? target : target();
    for (const { name } of administrators) {
      const { items } = await testSite.root.get<{ items: AuditRow[] }>("/api/audit/", {
        actor: name,
        action,
        p: 1,
        page_size: 100,
      });
      expect(items.filter((row) => row.target === named)).toHaveLength(CHANGES_EACH);
    }
  });

  it("leave a ledger that agrees", async () => {
    expect(await ledgerCheck(world)).not.toContain("MISMATCH");
  });
});
