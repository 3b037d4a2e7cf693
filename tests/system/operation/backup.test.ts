import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, truncateSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { BackingUrls } from "../../lib/backing/backing-urls.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { isSettled } from "../../lib/settled.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

const ROOT = resolve(import.meta.dirname, "../../..");
const folder = mkdtempSync(join(tmpdir(), "turnpike-backup-"));
const oldKey = randomBytes(32).toString("base64");
const newKey = randomBytes(32).toString("base64");
let upstream: FakeUpstream;
let world: World | undefined;

type Sums = { quota: number; used: number; tokens: unknown; logs: number; ledger: number };

const run = async (program: string, backing: BackingUrls, args: readonly string[], env = {}): Promise<string> => {
  const urls = { MONGODB_URL: backing.mongodbUrl, REDIS_URL: backing.redisUrl, NATS_URL: backing.natsUrl };
  const { stdout } = await promisify(execFile)(process.execPath, [join(ROOT, program), ...args], {
    env: { PATH: process.env["PATH"], ...urls, NAMESPACE: backing.namespace, ...env },
    timeout: 60_000,
  });
  return stdout;
};
const backup = (backing: BackingUrls, args: readonly string[], env = {}): Promise<string> =>
  run("services/shared/src/backup/main.ts", backing, args, env);

async function call(of: World, key: string): Promise<number> {
  const response = await fetch(`${of.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hello there" }] }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function getSums(root: TestSite["root"]): Promise<Sums> {
  const self = await root.get<{ quota: number; used_quota: number }>("/api/user/self");
  const tokens = await root.get<{ id: number; remain_quota: number; used_quota: number }[]>("/api/token/", {
    size: 100,
  });
  const logs = await root.get<{ total: number }>("/api/log/", { p: 1, page_size: 10 });
  const ledger = await root.get<{ total: number }>("/api/ledger/self", { p: 1, page_size: 10 });
  return {
    quota: self.quota,
    used: self.used_quota,
    tokens: tokens.map(({ id, remain_quota, used_quota }) => ({ id, remain_quota, used_quota })),
    logs: logs.total,
    ledger: ledger.total,
  };
}

beforeAll(async () => {
  upstream = await startFakeUpstream();
});
afterAll(async () => {
  await world?.stop();
  await upstream.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe("backup", () => {
  let before: Sums;
  let key = "";
  let saved = "";

  it("is taken while the system runs", async () => {
    const backing = testBacking();
    world = await startWorld({ backing, masterKey: oldKey });
    const testSite = await openTestSite(world, upstream.url);
    ({ key } = await testSite.token());
    for (let count = 0; count < 20; count++) expect(await call(world, key)).toBe(200);
    const running = world;
    await expect.poll(() => isSettled(running), { timeout: 15_000 }).toBe(true);
    before = await getSums(testSite.root);
    expect(before.used).toBeGreaterThan(0);
    expect(await backup(backing, ["save", folder, "--keep=3"])).toContain("saved to");
    saved = join(folder, readdirSync(folder)[0] ?? "");
    await world.stop();
    world = undefined;
  }, 120_000);

  it("restores every sum on an empty install, with working tokens and readable secrets, before the master key is changed", async () => {
    const backing = testBacking();
    expect(await backup(backing, ["restore", saved])).toContain("restored");
    world = await startWorld({ backing, masterKey: oldKey });
    expect(await getSums(await world.root())).toEqual(before);
    expect(await call(world, key)).toBe(200);
    expect(await run("services/billing/src/ledger-check.ts", backing, [])).toContain("all figures agree");
    await world.stop();
    world = undefined;

    const keys = `${newKey},${oldKey}`;
    expect(await backup(backing, ["rotate-master-key"], { MASTER_KEY: keys })).toMatch(
      /^[1-9]\d* secrets re-encrypted, 0 .*, 0 cannot/,
    );
    const second = await backup(backing, ["rotate-master-key"], { MASTER_KEY: keys });
    expect(second).toMatch(/^0 secrets re-encrypted, [1-9]/);
    // The old key is removed; only the part that finds tokens by their hash is left.
    const lookup = /lookup:[\w-]+/.exec(second)?.[0] ?? "";
    world = await startWorld({ backing, masterKey: `${newKey},${lookup}` });
    expect(await call(world, key)).toBe(200);
    const tokens = await (await world.root()).get<{ key: string }[]>("/api/token/", { size: 100 });
    expect(tokens.map((token) => token.key.replace(/^sk-/, ""))).toContain(key.replace(/^sk-/, ""));
  }, 180_000);

  it("is refused for a database that is not empty, and if one of its files is truncated", async () => {
    const backing = testBacking();
    await backup(backing, ["restore", saved]);
    await expect(backup(backing, ["restore", saved])).rejects.toThrow("not empty");
    truncateSync(join(saved, "users.bson.gz"), 50);
    await expect(backup(testBacking(), ["restore", saved])).rejects.toThrow(/./);
  }, 180_000);
});
