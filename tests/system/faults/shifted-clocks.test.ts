import { resolve } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { freePorts } from "../../../scripts/process/ports.ts";
import { addPayers, type FaultContext, lookWhenSettled, mustAgree } from "../../fault/agreement.ts";
import { runCalls } from "../../fault/calls.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

const SHIFT_MS = 60_000;
const preload = pathToFileURL(resolve(import.meta.dirname, "../../lib/shifted-clock.ts")).href;
const withShift = (ms: number) => ({ NODE_OPTIONS: `--import ${preload}`, CLOCK_SHIFT_MS: String(ms) });
const [behindPort = 0] = await freePorts(1);

// One relay is a minute ahead of all other processes, the other a minute behind.
const at = useTestSite({
  relayWorkers: 2,
  env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" },
  processEnv: { relay: withShift(SHIFT_MS), "relay-1": { ...withShift(-SHIFT_MS), RELAY_PORT: String(behindPort) } },
});

type Reply = { readonly status: number; readonly retryAfter: number };

async function call(url: string, key: string): Promise<Reply> {
  const response = await fetch(`${url}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "What time is it?" }] }),
  });
  await response.text();
  return { status: response.status, retryAfter: Number(response.headers.get("retry-after")) };
}

let ahead: string;
let behind: string;
const ways = (): readonly string[] => [ahead, behind];
beforeAll(async () => {
  ahead = at.world.relayUrl;
  behind = `http://127.0.0.1:${behindPort}`;
  const { key } = await at.testSite.token();
  for (const url of ways())
    await at.testSite.eventually("service", 20_000, async () => (await call(url, key)).status === 200 || undefined);
});

const statuses = async (calls: readonly Promise<Reply>[]): Promise<number[]> =>
  (await Promise.all(calls)).map(({ status }) => status).toSorted((one, other) => one - other);

describe("relay whose clock is a minute ahead or behind", () => {
  it("has a shifted clock", () => {
    const [fast = 0, slow = 0] = ["relay", "relay-1"].map((service) => {
      const first = at.world.log.lines.find(({ name, line }) => name === service && line.startsWith("{"));
      return (JSON.parse(first?.line ?? "{}") as { time?: number }).time;
    });
    expect(fast - slow).toBeGreaterThan(1.5 * SHIFT_MS);
  });

  it("shares one window of a request limit, which ends when it should", async () => {
    const { key } = await at.testSite.token({
      rate_limit_enabled: true,
      rate_limit_period: 12,
      rate_limit_count: 4,
      rate_limit_success: 0,
    });
    const startedAtMs = Date.now();
    const first = await statuses([...ways(), ...ways(), ...ways()].map((url) => call(url, key)));
    expect(first).toEqual([200, 200, 200, 200, 429, 429]);
    const refused = await Promise.all(ways().map((url) => call(url, key)));
    for (const { status, retryAfter } of refused) {
      expect(status).toBe(429);
      expect(retryAfter).toBeGreaterThan(0);
      expect(retryAfter).toBeLessThanOrEqual(12);
    }
    while (Date.now() - startedAtMs < 9_000) {
      expect(await statuses(ways().map((url) => call(url, key)))).toEqual([429, 429]);
      await wait(1_000);
    }
    await wait(Math.max(...refused.map(({ retryAfter }) => retryAfter)) * 1_000);
    expect(await statuses(ways().map((url) => call(url, key)))).toEqual([200, 200]);
  }, 60_000);

  it("shares the slots of a concurrency limit", async () => {
    const { key } = await at.testSite.token({ rate_limit_enabled: true, concurrent_calls: 1 });
    at.upstream.always({}, { delayMs: 3_000 });
    const long = call(ahead, key);
    await wait(1_000);
    expect((await call(behind, key)).status).toBe(429);
    expect((await long).status).toBe(200);
    at.upstream.reset();
    await at.testSite.eventually("a slot", 5_000, async () => (await call(behind, key)).status === 200 || undefined);
  }, 30_000);

  it("charges every call exactly and once", async () => {
    const [first, ...others] = await addPayers(at.testSite, 3);
    if (!first) throw new Error("no user");
    const context: FaultContext = { ...at, ...first, others };
    const before = await lookWhenSettled(context);
    const keys = [first, ...others].map(({ key }) => key);
    const load = { key: first.key, keys, count: 60, overMs: 6_000, mixed: true, keyedEvery: 5 };
    const byRelay = await Promise.all(ways().map((url) => runCalls({ ...load, url })));
    // A busy machine may refuse some, which must cost nothing.
    for (const results of byRelay) expect(results.some(({ outcome }) => outcome === "served")).toBe(true);
    await mustAgree(context, before, byRelay.flat());
  }, 150_000);

  it("serves a token until its expired_time, and refuses it afterwards", async () => {
    const expiresAtSeconds = Math.floor(Date.now() / 1_000) + 12;
    const { key } = await at.testSite.token({ expired_time: expiresAtSeconds });
    expect(await statuses(ways().map((url) => call(url, key)))).toEqual([200, 200]);
    const refusedEarly: number[] = [];
    while (Date.now() < (expiresAtSeconds - 1) * 1_000) {
      const replies = await statuses(ways().map((url) => call(url, key)));
      // What was refused only now may have been judged after the end.
      if (Date.now() < expiresAtSeconds * 1_000) refusedEarly.push(...replies.filter((status) => status !== 200));
      await wait(500);
    }
    expect(refusedEarly).toEqual([]);
    await at.testSite.eventually("the end of the token", 10_000, async () => {
      return (await statuses(ways().map((url) => call(url, key)))).every((status) => status === 401) || undefined;
    });
    expect(Date.now()).toBeGreaterThanOrEqual(expiresAtSeconds * 1_000);
  }, 60_000);

  it("accepts the playground's calls, which the gateway signs by its own clock", async () => {
    const body = { model: "gpt-4o", messages: [{ role: "user", content: "What time is it?" }] };
    expect((await at.testSite.root.call("POST", "/pg/chat/completions", { body })).status).toBe(200);
  });
});
