import { execFile } from "node:child_process";
import { DatabaseSync } from "node:sqlite";
import { join, resolve } from "node:path";
import { hash } from "@node-rs/bcrypt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { writeNewApi, writeOneApi, writeVeloera } from "../../lib/old-installs.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

const PASSWORD = "old-password-1";
const DIALECTS = [
  { dialect: "one-api", mark: "one", file: "one-api.db", write: writeOneApi },
  { dialect: "new-api", mark: "new", file: "new-api.sql", write: writeNewApi },
  { dialect: "veloera", mark: "vel", file: "veloera.db", write: writeVeloera },
] as const;

let world: World;
let upstream: FakeUpstream;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

const getKey = (mark: string): string => mark.repeat(16).slice(0, 48);

function run(script: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  const env = {
    ...process.env,
    MONGODB_URL: world.mongodbUrl,
    REDIS_URL: world.redisUrl,
    NATS_URL: world.natsUrl,
    NAMESPACE: world.namespace,
    MASTER_KEY: world.masterKey,
    DATA_DIR: world.dataFolder,
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
const runImport = (...args: string[]) => run("../../../scripts/import/main.ts", args);

describe.each(DIALECTS)("import of a $dialect install", ({ dialect, mark, file, write }) => {
  const source = ["--source", mark];
  let path = "";
  let first: { code: number; output: string };

  beforeAll(async () => {
    path = join(world.dataFolder, file);
    write(path, {
      passwordHash: await hash(PASSWORD, { cost: 4 }),
      upstreamUrl: upstream.url,
      tokenKey: getKey(mark),
      mark,
    });
  });

  it("writes nothing in a dry run", async () => {
    const { code, output } = await runImport(path, ...source, "--dry-run");
    expect(output).toContain(`${dialect}, dry run`);
    expect(output).toMatch(/^✓ channels: \d+ rows \(.* s\)$/m);
    expect(output).not.toContain("the running services were told");
    expect(output).toContain("group club (1 user, 1 channel) has no ratio");
    expect(code).toBe(0);
    const root = await world.root();
    const found = await root.get<{ items: unknown[] }>("/api/user/search", {
      keyword: `${mark}-anna`,
      p: 1,
      page_size: 10,
    });
    expect(found.items).toEqual([]);
  });
  it("results in equal figures, and lists unsupported settings without their values", async () => {
    first = await runImport(path, ...source, "--with-logs");
    expect(first.output).toContain("source and target are equal");
    expect(first.output).toMatch(/users +balance +5000177 +5000177 +equal/);
    expect(first.output).toMatch(/users +used +1234567 +1234567 +equal/);
    expect(first.output).toContain("SomethingOfTheirOwn");
    expect(first.output).not.toContain("very-secret");
    expect(first.output).not.toContain("up-key");
    expect(first.output).toContain("unknown kind");
    expect(first.output.match(/group .* has no ratio/g)).toEqual(["group club (1 user, 1 channel) has no ratio"]);
    expect(first.code).toBe(0);
  });
  it("passes the ledger check, also after a repeat, which changes nothing", async () => {
    expect(await run("../../../services/billing/src/ledger-check.ts", [])).toMatchObject({ code: 0 });
    const again = await runImport(path, ...source, "--with-logs");
    expect(again.output).toContain("source and target are equal");
    expect(again.output.match(/.* (equal|DIFFERENT)/g)).toEqual(first.output.match(/.* (equal|DIFFERENT)/g));
    expect(await run("../../../services/billing/src/ledger-check.ts", [])).toMatchObject({ code: 0 });
  });
  it("lets users sign in with their old password and see their balance", async () => {
    const client = world.visitor();
    await client.login(`${mark}-anna`, PASSWORD);
    const self = await client.get<Record<string, unknown>>("/api/user/self");
    expect(self).toMatchObject({ quota: 5_000_000, used_quota: 1_234_567, request_count: 42, aff_code: `${mark}a` });
    const admin = world.visitor();
    await admin.login(`${mark}-o'neil`, PASSWORD);
    expect(await admin.get("/api/user/self")).toMatchObject({ role: 10 });
  });
  it("serves an old key with an imported channel without a restart, and charges the imported account", async () => {
    expect(first.output).toContain("the running services are notified to read channels, options and prices");
    const before = upstream.calls.length;
    const call = async () => {
      const response = await fetch(`${world.relayUrl}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer sk-${getKey(mark)}`, "content-type": "application/json" },
        body: JSON.stringify({ model: `${mark}-model`, messages: [{ role: "user", content: "hello" }] }),
      });
      return { status: response.status, text: await response.text() };
    };
    // Until the relay has read the new routing, it refuses the model itself: no call reaches an upstream.
    await expect
      .poll(call, { timeout: 10_000 })
      .toMatchObject({ status: 200, text: expect.stringContaining("choices") });
    expect(upstream.calls.length).toBe(before + 1);
    await expect
      .poll(async () => (await run("../../../services/billing/src/ledger-check.ts", [])).code, {
        timeout: 20_000,
        interval: 500,
      })
      .toBe(0);
    const client = world.visitor();
    await client.login(`${mark}-anna`, PASSWORD);
    expect((await client.get<{ quota: number }>("/api/user/self")).quota).toBeLessThan(5_000_000);
  }, 60_000);
  it("redeems an old code once, and recognizes the used one", async () => {
    const client = world.visitor();
    await client.login(`${mark}-anna`, PASSWORD);
    const redeem = (digit: string) =>
      client.call("POST", "/api/user/topup", { body: { key: `${mark}${digit.repeat(31)}`.slice(0, 32) } });
    expect((await redeem("0")).success).toBe(true);
    expect((await redeem("0")).success).toBe(false);
    expect((await redeem("1")).success).toBe(false);
  });
});

describe("an imported gift code", () => {
  it("is refused to every user who redeemed it before, and counts the earlier uses", async () => {
    const signIn = async (name: string, password: string) => {
      const client = world.visitor();
      await client.login(name, password);
      return client;
    };
    const root = await world.root();
    const others = await Promise.all(
      ["gift-one", "gift-two"].map(async (username) => {
        await root.post("/api/user/", { username, password: PASSWORD, display_name: username });
        return signIn(username, PASSWORD);
      }),
    );
    const before = await Promise.all(["vel-anna", "vel-o'neil"].map((name) => signIn(name, PASSWORD)));
    const codes: unknown[] = [];
    for (const client of [...before, ...others])
      codes.push((await client.call("POST", "/api/user/topup", { body: { key: "velgift" } })).code ?? "redeemed");
    expect(codes).toEqual(["redemption_used", "redemption_used", "redeemed", "redemption_exhausted"]);
  });
});

describe("pair of simultaneous imports of one source", () => {
  it("stores every row once", async () => {
    const path = join(world.dataFolder, "twice.db");
    writeOneApi(path, {
      passwordHash: await hash(PASSWORD, { cost: 4 }),
      upstreamUrl: upstream.url,
      tokenKey: getKey("two"),
      mark: "two",
    });
    const database = new DatabaseSync(path);
    const columns = database.prepare("PRAGMA table_info(logs)").all() as { name: string }[];
    const names = columns.map(({ name }) => (name === "id" ? "n + 2" : name)).join();
    database.exec(
      `WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < 4000) INSERT INTO logs SELECT ${names} FROM more, logs WHERE logs.id = 1`,
    );
    database.close();
    const source = [path, "--source", "two", "--with-logs"];
    const runs = await Promise.all([runImport(...source), runImport(...source)]);
    expect(runs.map(({ code }) => code).toSorted((one, other) => one - other)).toEqual([0, 2]);
    expect(runs.map(({ output }) => output).join("")).toContain("Another import into this install is running");
    const again = await runImport(...source);
    expect(again.output).toMatch(/logs +rows +4002 +4002 +equal/);
    expect(await run("../../../services/billing/src/ledger-check.ts", [])).toMatchObject({ code: 0 });
  }, 120_000);
});
