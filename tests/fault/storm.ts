/**
 * Moves money in every way concurrently (top-ups, codes, transfers of earnings, refunds, balance changes by
 * administrators, check-ins, calls with several tokens) while services are killed at random. Afterwards balances,
 * tokens, channels, log, dashboard and ledger must agree exactly with each other and with what clients received. At
 * most STORM_CALLS calls (5,000 by default) in STORM_SECONDS; STORM_SEED repeats a run's choices.
 */
import { setTimeout as pause } from "node:timers/promises";
import { createRandom } from "../../scripts/seed/random.ts";
import { startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { ledgerCheck } from "../lib/ledger-check.ts";
import { isSettled } from "../lib/settled.ts";
import { type LogRow, openTestSite, type TestSite } from "../lib/test-site.ts";
import { startWorld, type World } from "../lib/world.ts";
import { type CallResult, runCalls } from "./calls.ts";
import { compareDashboard } from "./storm-dashboard.ts";
import { registerUsers, openDoors, type TestUser, topUp } from "./storm-users.ts";

const CALLS = Number(process.env["STORM_CALLS"] ?? 5_000);
const SEED = Number(process.env["STORM_SEED"] ?? Date.now() % 100_000);
/** No calls start after this many seconds: an overloaded machine makes fewer. */
const SECONDS_MAX = Number(process.env["STORM_SECONDS"] ?? 1_200);
const USERS = 4;
const CONCURRENCY = 6;
const KILLED = ["relay", "billing", "auth", "gateway", "channel"] as const;
const KILL_EVERY_MS = 3_000;
const DOWN_AT_ONCE_MAX = 2;
const RECOVERY_MS = 120_000;
/** A page of the log, as an administrator reads it. */
const PAGE_SIZE = 100;
const LOST = 503;

const random = createRandom(SEED);
const below = (count: number): number => Math.floor(random() * count);
const pick = <Entry>(entries: readonly Entry[]): Entry => entries[below(entries.length)] as Entry;
const print = (line: string): void => void process.stdout.write(`${line}\n`);
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

type Storm = {
  readonly world: World;
  readonly testSite: TestSite;
  readonly users: readonly TestUser[];
  readonly codes: readonly string[];
  readonly gift: string;
};

async function refundSome({ testSite }: Storm): Promise<void> {
  const { items } = await testSite.root.get<{ items: { id: number; status: string; quota: number }[] }>("/api/order/", {
    p: 1,
    page_size: 50,
  });
  const paid = items.filter(({ status }) => status === "paid");
  if (paid.length === 0) return;
  const { id } = pick(paid);
  const body = { quota: 1 + below(900), reason: "storm" };
  await Promise.all([1, 2].map(() => testSite.root.call("POST", `/api/order/${id}/refund`, { body })));
}

/** One step of a user; which step, and how it ends, depends on chance and on the kills. */
async function step(storm: Storm): Promise<void> {
  const user = pick(storm.users);
  const { client, id, username } = user;
  const steps: (() => Promise<unknown>)[] = [
    () => topUp(user, 1 + below(3)),
    () => Promise.all([1, 2].map(() => client.call("POST", "/api/user/topup", { body: { key: pick(storm.codes) } }))),
    () => Promise.all([1, 2].map(() => client.call("POST", "/api/user/topup", { body: { key: storm.gift } }))),
    () => client.call("POST", "/api/user/aff_transfer", { body: { quota: 1 + below(2_000) } }),
    () => Promise.all([1, 2].map(() => client.call("POST", "/api/user/check_in"))),
    () => refundSome(storm),
    () =>
      storm.testSite.root.call("PUT", "/api/user/", {
        body: { id, username, display_name: username, group: "default", quota: 10_000_000 + below(20_000_000) },
      }),
  ];
  try {
    await pick(steps)();
  } catch {
    // The gateway was killed during the request: users retry later.
    await pause(300);
  }
}

async function killAtRandom({ world }: Storm, isOver: () => boolean): Promise<string> {
  const counts = new Map<string, number>();
  const down = new Set<string>();
  while (!isOver()) {
    await pause(KILL_EVERY_MS * (0.5 + random()));
    if (isOver()) break;
    const name = pick(KILLED);
    if (down.size >= DOWN_AT_ONCE_MAX || !world.kill(name)) continue;
    counts.set(name, (counts.get(name) ?? 0) + 1);
    down.add(name);
    // On a busy machine a start takes longer than the time to the next kill: the other services have to be up, or no
    // request ever succeeds.
    void world
      .waitReady(name)
      .catch(() => undefined)
      .finally(() => down.delete(name));
  }
  return [...counts].map(([name, count]) => `${name} ${count}×`).join(", ");
}

async function rage(storm: Storm): Promise<{ calls: CallResult[]; kills: string; steps: number }> {
  let isOver = false;
  let steps = 0;
  const lanes = Array.from({ length: 6 }, async () => {
    while (!isOver) {
      await step(storm);
      steps++;
    }
  });
  const killing = killAtRandom(storm, () => isOver);
  const keys = storm.users.flatMap((user) => user.keys);
  const each = Math.ceil(CALLS / keys.length);
  const { relayUrl: url } = storm.world;
  const untilMs = Date.now() + SECONDS_MAX * 1_000;
  const results = await Promise.all(
    keys.map((key, index) =>
      runCalls({ url, key, count: each, concurrency: CONCURRENCY, stream: index % 2 === 1, patience: 60, untilMs }),
    ),
  );
  isOver = true;
  const kills = await killing;
  await Promise.all(lanes);
  return { calls: results.flat(), kills, steps };
}

async function runLedgerCheck(world: World): Promise<string | undefined> {
  try {
    await ledgerCheck(world, { timeoutMs: 90_000 });
    return undefined;
  } catch (error) {
    return `ledger:check: ${(error as { stdout?: string }).stdout?.slice(-1_500) ?? String(error)}`;
  }
}

type Row = LogRow & { readonly user_id: number; readonly token_id: number };

async function readLog({ testSite }: Storm): Promise<Row[]> {
  const rows = new Map<number, Row>();
  for (let page = 1; ; page++) {
    const { items, total } = await testSite.root.get<{ items: Row[]; total: number }>("/api/log/", {
      type: 2,
      p: page,
      page_size: PAGE_SIZE,
    });
    for (const row of items) rows.set(row.id, row);
    if (items.length === 0) {
      if (rows.size !== total) throw new Error(`the log's pages hold ${rows.size} rows, its total is ${total}`);
      return [...rows.values()];
    }
  }
}

/** Returns every figure that does not agree. */
async function compare(storm: Storm, calls: readonly CallResult[]): Promise<string[]> {
  const { testSite, users } = storm;
  const wrong: string[] = [];
  const same = (what: string, is: number, should: number): void => {
    if (is !== should) wrong.push(`${what} is ${is}, should be ${should}`);
  };
  const rows = await readLog(storm);
  const byRequest = new Map(rows.map((row) => [row.request_id, row.quota]));
  same("rows of different calls", byRequest.size, rows.length);
  for (const { requestId, quota, outcome } of calls)
    if (outcome === "served" && byRequest.get(requestId) !== quota)
      wrong.push(`call ${requestId} costs ${byRequest.get(requestId)}, should be ${quota}`);
  const refused = calls.filter(
    ({ outcome, requestId, status }) => outcome === "refused" && requestId !== "" && status !== 0 && status !== LOST,
  );
  for (const { requestId, status } of refused)
    if ((byRequest.get(requestId) ?? 0) > 0) wrong.push(`refused call ${requestId} (${status}) was charged`);
  const getQuota = (match: (row: Row) => boolean): number => sum(rows.filter(match).map(({ quota }) => quota));
  for (const user of users) {
    const self = await user.client.get<{ used_quota: number; request_count: number }>("/api/user/self");
    same(
      `used_quota of ${user.username}`,
      self.used_quota,
      getQuota(({ user_id }) => user_id === user.id),
    );
    same(
      `request_count of ${user.username}`,
      self.request_count,
      rows.filter(({ user_id }) => user_id === user.id).length,
    );
    const now = Math.floor(Date.now() / 1000);
    const hours = await user.client.get<{ quota: number }[]>("/api/data/self", {
      start_timestamp: now - 86_400,
      end_timestamp: now + 3_600,
    });
    same(`dashboard of ${user.username}`, sum(hours.map(({ quota }) => quota)), self.used_quota);
    const stat = await user.client.get<{ quota: number }>("/api/log/self/stat");
    same(`statistics of ${user.username}`, stat.quota, self.used_quota);
    for (const [index, id] of user.tokenIds.entries()) {
      const token = await user.client.get<{ remain_quota: number; used_quota: number }>(`/api/token/${id}`);
      same(
        `used_quota of token ${id}`,
        token.used_quota,
        getQuota((row) => row.token_id === id),
      );
      if (index === 0) same(`remain_quota of token ${id}`, token.remain_quota, 1_000_000_000 - token.used_quota);
    }
  }
  const channels = await testSite.root.get<{ id: number; used_quota: number }[]>("/api/channel/", { page_size: 100 });
  for (const { id, used_quota: used } of channels)
    same(
      `used_quota of channel ${id}`,
      used,
      getQuota(({ channel }) => channel === id),
    );
  const site = await testSite.root.get<{ quota: number }>("/api/log/stat");
  same("statistics of the site", site.quota, sum(rows.map(({ quota }) => quota)));
  return [...wrong, ...(await compareDashboard(testSite.root, users, rows))];
}

/** Checks everything once: the ledger, then each figure shown to users. */
async function look(storm: Storm, calls: readonly CallResult[]): Promise<string[]> {
  const ledger = await runLedgerCheck(storm.world);
  const wrong = await compare(storm, calls);
  return ledger === undefined ? wrong : [...wrong, ledger];
}

async function main(): Promise<number> {
  print(`seed ${SEED}, ${CALLS} calls`);
  const upstream = await startFakeUpstream();
  const world = await startWorld({ logLevel: "warn", env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  try {
    const testSite = await openTestSite(world, upstream.url);
    await openDoors(testSite, world);
    const users = await registerUsers(testSite, world, USERS);
    const codes = await testSite.root.post<string[]>("/api/redemption/", { name: "storm", quota: 777, count: 100 });
    const [gift = ""] = await testSite.root.post<string[]>("/api/redemption/", {
      name: "gift",
      quota: 333,
      count: 1,
      is_gift: true,
      max_uses: 3,
    });
    const storm: Storm = { world, testSite, users: users, codes, gift };
    const beganAtMs = Date.now();
    const { calls, kills, steps } = await rage(storm);
    const responded = calls.filter(({ outcome }) => outcome === "served").length;
    print(
      `${calls.length} calls, ${responded} served, ${steps} other steps in ${Math.round((Date.now() - beganAtMs) / 1000)} s; killed: ${kills}`,
    );
    await world.waitReady();
    await testSite.eventually(
      "the posting of all calls",
      RECOVERY_MS,
      async () => (await isSettled(world)) || undefined,
    );
    let wrong = await look(storm, calls);
    // Recent settlements may not have reached Redis yet.
    for (
      const untilMs = Date.now() + RECOVERY_MS;
      wrong.length > 0 && Date.now() < untilMs;
      wrong = await look(storm, calls)
    )
      await pause(2_000);
    const served = upstream.served();
    print(
      `upstream served ${served.calls} calls; ${wrong.length === 0 ? "every figure agrees" : `${wrong.length} figures do not agree`}`,
    );
    for (const line of wrong.slice(0, 30)) print(`WRONG ${line}`);
    return wrong.length === 0 ? 0 : 1;
  } finally {
    await world.stop();
    await upstream.stop();
  }
}

process.exit(await main());
