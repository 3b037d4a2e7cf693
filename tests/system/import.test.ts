import { execFile } from "node:child_process";
import { join, resolve } from "node:path";
import { hash } from "@node-rs/bcrypt";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import { writeNewApi, writeOneApi, writeVeloera } from "../lib/old-installs.ts";
import { testBacking } from "../lib/backing/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";

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

const keyOf = (mark: string): string => mark.repeat(16).slice(0, 48);

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
const runImport = (...args: string[]) => run("../../scripts/import/main.ts", args);

/** Options and routing are refreshed within a minute if no event arrives; a restart is quicker. */
const refresh = (): Promise<unknown> => world.restart("relay");

describe.each(DIALECTS)("import of a $dialect install", ({ dialect, mark, file, write }) => {
  const source = ["--source", mark];
  let path = "";
  let first: { code: number; output: string };

  beforeAll(async () => {
    path = join(world.dataFolder, file);
    write(path, {
      passwordHash: await hash(PASSWORD, { cost: 4 }),
      upstreamUrl: upstream.url,
      tokenKey: keyOf(mark),
      mark,
    });
  });

  it("only counts in a dry run", async () => {
    const { code, output } = await runImport(path, ...source, "--dry-run");
    expect(output).toContain(`${dialect}, dry run`);
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
    expect(first.code).toBe(0);
  });
  it("passes the ledger check, also after a repeat, which changes nothing", async () => {
    expect(await run("../../services/billing/src/ledger-check.ts", [])).toMatchObject({ code: 0 });
    const again = await runImport(path, ...source, "--with-logs");
    expect(again.output).toContain("source and target are equal");
    expect(again.output.match(/.* (equal|DIFFERENT)/g)).toEqual(first.output.match(/.* (equal|DIFFERENT)/g));
    expect(await run("../../services/billing/src/ledger-check.ts", [])).toMatchObject({ code: 0 });
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
  it("serves an old key with an imported channel, and charges the imported account", async () => {
    await refresh();
    const before = upstream.calls.length;
    const answer = await fetch(`${world.relayUrl}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: `Bearer sk-${keyOf(mark)}`, "content-type": "application/json" },
      body: JSON.stringify({ model: `${mark}-model`, messages: [{ role: "user", content: "hello" }] }),
    });
    expect(await answer.text()).toContain("choices");
    expect(answer.status).toBe(200);
    expect(upstream.calls.length).toBe(before + 1);
    await expect
      .poll(async () => (await run("../../services/billing/src/ledger-check.ts", [])).code, {
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
