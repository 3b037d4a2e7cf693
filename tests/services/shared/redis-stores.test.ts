import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { scanKeys } from "@turnpike/shared/redis/scan";
import { defineScript } from "@turnpike/shared/redis/script";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type RedisTls, startCluster, startRedisServer, startSentinels } from "../../lib/backing/replicated-redis.ts";
import { findBinary } from "../../lib/backing/store-binaries.ts";
import { killRunning } from "../../lib/backing/store-process.ts";
import { makeCertificate, trust } from "../../lib/network/test-certificate.ts";

const log = createLogger("test", "silent");
const folder = mkdtempSync(join(tmpdir(), "turnpike-redis-"));
const tls: RedisTls = { certFile: join(folder, "tls.crt"), keyFile: join(folder, "tls.key") };
beforeAll(async () => {
  const certificate = await makeCertificate();
  trust(certificate);
  writeFileSync(tls.certFile, certificate.cert);
  writeFileSync(tls.keyFile, certificate.key);
});
afterAll(() => {
  killRunning();
  rmSync(folder, { recursive: true, force: true });
});

/** Some builds of Redis are without TLS; the others miss a certificate here, so that no server starts in any case. */
function hasTls(): boolean {
  const args = ["--port", "0", "--tls-port", "1"];
  const { stdout } = spawnSync(findBinary("redis-server"), args, { encoding: "utf8", timeout: 10_000 });
  return stdout.includes("No tls-cert-file configured");
}

const KINDS = [
  { kind: "one server", start: startRedisServer },
  { kind: "three sentinels", start: startSentinels },
  { kind: "a cluster", start: startCluster },
] as const;
const MODES = KINDS.flatMap(({ kind, start }) => [
  { title: kind, start, isTls: false },
  { title: `${kind} with TLS`, start, isTls: true },
]);

const READY_MS = 15_000;
/** For a connection that must not come about. */
const REFUSED_MS = 1_000;

/** Whether commands with this address reach the store, among them a script and a scan. */
async function reaches(url: string, waitMs = READY_MS): Promise<boolean> {
  const redis = connectRedis({ url, namespace: "test", log, commandTimeoutMs: 2_000 });
  try {
    if (!(await waitForRedis(redis, waitMs))) return false;
    const names = ["a", "b", "c"];
    const add = defineScript(redis, `return redis.call("SET", KEYS[1], ARGV[1])`);
    for (const name of names) await add(1, `key:{${name}}`, name);
    const found: string[] = [];
    for await (const page of scanKeys(redis, "key:*")) found.push(...page);
    expect(new Set(found)).toEqual(new Set(names.map((name) => `key:{${name}}`)));
    return (await redis.get("key:{b}")) === "b";
  } catch (error) {
    if (/NOAUTH|WRONGPASS|closed|writeable/i.test(String(error))) return false;
    throw error;
  } finally {
    redis.disconnect();
  }
}

describe.each(MODES)("Redis as $title", ({ title, start, isTls }) => {
  const isHere = !isTls || hasTls();
  if (!isHere) console.warn(`redis-server is built without TLS: ${title} is not tested`);
  let store: { readonly url: string; stop(): Promise<unknown> };

  beforeAll(async () => {
    if (!isHere) return;
    const own = mkdtempSync(join(folder, "store-"));
    store = await start(own, isTls ? tls : undefined);
  }, 240_000);
  afterAll(() => store?.stop());

  it.runIf(isHere)("is reached with a user and password, and not with another or without", async () => {
    expect(await reaches(store.url)).toBe(true);
    const others = ["turnpike:other@", "other:redis-secret@", ":redis-secret@"];
    for (const other of others)
      expect(await reaches(store.url.replace("turnpike:redis-secret@", other), REFUSED_MS)).toBe(false);
  });

  it.runIf(isHere && isTls)("is not reached without TLS, nor when its certificate is not trusted", async () => {
    expect(await reaches(store.url.replace("rediss", "redis"), REFUSED_MS)).toBe(false);
    const trusted = getCACertificates("default");
    setDefaultCACertificates([]);
    expect(await reaches(store.url, REFUSED_MS)).toBe(false);
    setDefaultCACertificates(trusted);
  });
});
