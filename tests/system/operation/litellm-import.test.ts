import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import type { Connection } from "mongoose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { LITELLM_KEYS, writeLiteLlmDump } from "../../lib/litellm-dump.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

const SALT_KEY = "sk-litellm-salt";
const UNITS = 500_000;

let world: World;
let upstream: FakeUpstream;
let connection: Connection;
let dump = "";
let first = "";

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  connection = await connectMongo(world.mongodbUrl);
  dump = join(world.dataFolder, "litellm.sql");
  writeLiteLlmDump(dump, { upstreamUrl: upstream.url, saltKey: SALT_KEY });
}, 120_000);
afterAll(async () => {
  await connection?.close();
  await world?.stop();
  await upstream?.stop();
});

function run(script: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    MONGODB_URL: world.mongodbUrl,
    REDIS_URL: world.redisUrl,
    NATS_URL: world.natsUrl,
    NAMESPACE: world.namespace,
    MASTER_KEY: world.masterKey,
    DATA_DIR: world.dataFolder,
    LITELLM_SALT_KEY: SALT_KEY,
  };
  return new Promise((done) => {
    execFile(
      process.execPath,
      [resolve(import.meta.dirname, script), ...args],
      { env, timeout: 60_000 },
      (error, out, errors) => done({ code: error ? Number(error.code ?? 1) : 0, output: out + errors }),
    );
  });
}
const runImport = (...args: string[]) => run("../../../scripts/import/main.ts", [...args, "--source", "lite"]);
const ledgerCheck = () => run("../../../services/billing/src/ledger-check.ts", []);
const untilBalanced = () => expect.poll(ledgerCheck, { timeout: 50_000, interval: 500 }).toMatchObject({ code: 0 });

async function call(key: string, model = "gpt-4o-mini") {
  const response = await fetch(`${world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, messages: [{ role: "user", content: "hello" }] }),
  });
  await response.text();
  return response.status;
}

type Found = { id: number; username: string; quota: number; used_quota: number; role: number; email: string };
async function findUser(username: string): Promise<Found | undefined> {
  const root = await world.root();
  const { items } = await root.get<{ items: Found[] }>("/api/user/search", { keyword: username, p: 1, page_size: 10 });
  return items.find((user) => user.username === username);
}
const readToken = (name: string) => connection.collection("tokens").findOne({ name });

/** The cells of a CSV file by column; none of this test's has a comma. */
function readCsv(path: string): Record<string, string>[] {
  const [head = "", ...lines] = readFileSync(path, "utf8").slice(1).trimEnd().split("\r\n");
  const columns = head.split(",");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, index) => [columns[index] ?? "", cell])));
}

it("refuses a broken dump with its line, and accounts without a budget until their balance is named", async () => {
  const broken = join(world.dataFolder, "broken.sql");
  const whole = readFileSync(dump, "utf8");
  const keysEnd = whole.lastIndexOf("\\.", whole.indexOf('COPY public."_prisma'));
  writeFileSync(broken, `${whole.slice(0, keysEnd)}half a row\n`);
  const refused = await runImport(broken);
  expect(refused.output).toMatch(/The dump is broken at line \d+: a row of LiteLLM_VerificationToken has 1 values/);
  const unbalanced = await runImport(dump);
  expect(unbalanced.output).toContain("2 users and teams have no budget in LiteLLM");
  expect([refused.code, unbalanced.code]).toEqual([2, 2]);
  expect(await findUser("Anna")).toBeUndefined();
});

it("writes nothing in a dry run", async () => {
  const { code, output } = await runImport(dump, "--dry-run", "--balance", "1");
  expect(output).toContain("litellm, dry run");
  expect(output).toMatch(/tokens +rows +8\b/);
  expect(code).toBe(0);
  expect(await findUser("Anna")).toBeUndefined();
});

it("arrives with equal figures, and lists what has no place here with its number and without secrets", async () => {
  const { code, output } = await runImport(dump, "--balance", "1");
  first = output;
  expect(output).toContain("source and target are equal");
  expect(code).toBe(0);
  // Anna's 7.5 dollars less a part of a unit, Bob's opening dollar, the team's 3.75, and the unowned key's opening dollar.
  expect(output).toMatch(new RegExp(`users +balance +${7.5 * UNITS - 1 + UNITS + 3.75 * UNITS + UNITS} `));
  expect(output).toMatch(/channels +models +3 +3 +equal/);
  for (const line of [
    "not carried over: model_max_budget of 1 keys",
    "not carried over: soft_budget of 1 teams",
    "not carried over: password of 1 users",
    "not carried over: 1 end users",
    "not carried over: the settings router_settings",
    "not carried over: 1 rows of LiteLLM_TagTable",
    "not carried over: the parameter rpm of 1 models",
    "its budget of $3 does not reset here every 14d",
    "switched off: its key is encrypted; set LITELLM_SALT_KEY",
    "model strange is left out: there is no channel type for replicate/strange",
    "it is a session of LiteLLM's console",
  ])
    expect(output).toContain(line);
  expect(output).not.toContain("DailyUserSpend");
  for (const secret of ["up-key-litellm", "lost-key", ...Object.values(LITELLM_KEYS)])
    expect(output).not.toContain(secret);
});

it("serves an old key without a restart and charges its user; a team's key charges the team", async () => {
  expect(await findUser("Anna")).toMatchObject({
    quota: 7.5 * UNITS - 1,
    used_quota: 11.75 * UNITS,
    email: "anna@lite.example",
    role: 1,
  });
  expect(await findUser("admin")).toMatchObject({ role: 10 });
  await expect.poll(() => call(LITELLM_KEYS.anna), { timeout: 10_000 }).toBe(200);
  expect(await call(LITELLM_KEYS.anna, "fast")).toBe(200);
  expect(await call(LITELLM_KEYS.team)).toBe(200);
  expect(await call(LITELLM_KEYS.team, "team-fast")).toBe(200);
  expect(upstream.calls.at(-1)?.key).toBe("up-key-litellm");
  await untilBalanced();
  const rows = await connection.collection("logs").find({ type: 2 }).toArray();
  const count = (username: string) => rows.filter((row) => row["username"] === username).length;
  expect([count("Anna"), count("Research")]).toEqual([2, 2]);
  expect((await findUser("Anna"))?.quota).toBeLessThan(7.5 * UNITS - 1);
  expect((await findUser("Research"))?.quota).toBeLessThan(3.75 * UNITS);
  expect((await findUser("bob"))?.quota).toBe(UNITS);
}, 120_000);

it("holds budgets, limits, models, blocks and expiry", async () => {
  const statuses = {
    limited: await call(LITELLM_KEYS.limited),
    limitedAgain: await call(LITELLM_KEYS.limited),
    small: await call(LITELLM_KEYS.small),
    blocked: await call(LITELLM_KEYS.blocked),
    expired: await call(LITELLM_KEYS.expired),
    otherModel: await call(LITELLM_KEYS.team, "house-model"),
    consoleSession: await call("sk-console-session"),
  };
  expect(statuses).toEqual({
    limited: 200,
    limitedAgain: 429,
    small: 429,
    blocked: 401,
    expired: 401,
    otherModel: 403,
    consoleSession: 401,
  });
  expect(await readToken("monthly")).toMatchObject({
    unlimited: false,
    budget: 16.5 * UNITS + 9.75 * UNITS,
    spent: 9.75 * UNITS,
    budgetPeriod: "month",
    periodQuota: 20 * UNITS,
    periodEndsAt: Date.UTC(2099, 0, 1) / 1000,
    keyBox: "",
  });
  expect(await readToken("limited")).toMatchObject({
    rateLimitCount: 1,
    rateLimitPeriod: 60,
    tokensPerMinute: 100_000,
    concurrentCalls: 4,
  });
});

it("brings a model's own price", async () => {
  expect(await call(LITELLM_KEYS.anna, "house-model")).toBe(200);
  const prices = await connection.collection("price_book").findOne({});
  expect(JSON.parse(prices?.["values"].PriceRules)).toMatchObject({ "house-model": { input: 1, output: 2 } });
});

it("changes nothing when it runs twice", async () => {
  await untilBalanced();
  const read = async () => ({
    accounts: await connection.collection("accounts").find().sort({ _id: 1 }).toArray(),
    tokens: await connection.collection("tokens").find().sort({ _id: 1 }).toArray(),
    channels: await connection.collection("channels").find().sort({ _id: 1 }).toArray(),
    prices: await connection.collection("price_book").findOne({}, { projection: { locks: 0 } }),
  });
  const before = await read();
  const { output, code } = await runImport(dump, "--balance", "1");
  expect(code).toBe(0);
  const figures = (text: string) => text.match(/(?:channels|users|tokens) .* (?:equal|DIFFERENT)/g);
  expect(figures(output)).toEqual(figures(first));
  expect(await read()).toEqual(before);
}, 120_000);

it("compares both bills call by call, with sums that equal the rows to the unit", async () => {
  const path = join(world.dataFolder, "shadow.csv");
  const { code, output } = await runImport(dump, "--shadow-report", path);
  expect(output).toContain("12 calls: LiteLLM");
  expect(code).toBe(0);
  const rows = readCsv(path);
  expect(rows.map(({ reason }) => reason)).toEqual([
    "equal",
    "equal",
    "equal",
    "cache_price",
    "rounding",
    "price",
    "margin",
    "litellm_cache",
    "no_price",
    "no_tokens",
    "equal",
    "equal",
  ]);
  expect(rows[0]).toMatchObject({
    litellm_units: "225",
    turnpike_units: "225",
    key: expect.stringMatching(/^anna \(/),
  });
  expect(rows[1]).toMatchObject({ user: "team Research (t-research)", litellm_dollars: "0.00045000000000000004" });
  const sums = readCsv(`${path}.sums.csv`);
  const columns = { total: () => "", model: "model", key: "key", user: "user", reason: "reason", day: "time" } as const;
  const add = (list: readonly Record<string, string>[], column: string): number =>
    list.reduce((sum, row) => sum + Number(row[column] ?? ""), 0);
  for (const [by, column] of Object.entries(columns)) {
    const ofKind = sums.filter((sum) => sum["by"] === by);
    expect(add(ofKind, "calls")).toBe(rows.length);
    for (const sum of ofKind) {
      const name = (row: Record<string, string>) => (typeof column === "string" ? (row[column] ?? "") : "");
      const own = rows.filter((row) => (by === "day" ? name(row).slice(0, 10) : name(row)) === sum["name"]);
      expect(own).toHaveLength(Number(sum["calls"]));
      for (const amount of ["litellm_units", "turnpike_units", "difference_units"])
        expect(Number(sum[amount])).toBe(add(own, amount));
      expect(Number(sum["compared_calls"])).toBe(own.filter((row) => row["turnpike_units"] !== "").length);
    }
  }
});
