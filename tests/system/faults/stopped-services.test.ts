import { setTimeout as wait } from "node:timers/promises";
import { afterEach, describe, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });

/** Far below the deadline of a call, which is five seconds. */
const FAST_MS = 1_000;
/**
 * The first call of a service that has been slow to respond, as all are on a busy machine; less than a second elsewhere
 * (service-probes.test.ts).
 */
const FIRST_MS = 4_500;

const stopped = new Set<string>();
function halt(name: string): void {
  stopped.add(name);
  at.world.kill(name, "SIGSTOP");
}
afterEach(async () => {
  for (const name of stopped) at.world.kill(name, "SIGCONT");
  stopped.clear();
  // The breakers close in the background.
  await expect
    .poll(async () => (await at.testSite.root.call("GET", "/api/token/")).success, { timeout: 10_000 })
    .toBe(true);
  await expect.poll(async () => (await callRelay("0".repeat(48))).status, { timeout: 10_000 }).toBe(401);
});

const callRelay = (key: string): Promise<Response> =>
  fetch(`${at.world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer sk-${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "gpt-4o", messages: [{ role: "user", content: "Hello" }] }),
  });

async function timed<Result>(run: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startedAt = performance.now();
  const result = await run();
  return { result, ms: performance.now() - startedAt };
}

const read = (path: string) => timed(() => at.testSite.root.call("GET", path));
/** A key of the right form that the relay has not seen. */
const freshKey = (): string => Array.from({ length: 48 }, () => Math.floor(Math.random() * 10)).join("");

describe("a service that is stopped", () => {
  it.each([
    ["billing", "/api/token/"],
    ["channel", "/api/channel/"],
    ["messaging", "/api/user/messages/"],
    ["auth", "/api/user/"],
  ])("fails the console's calls fast after the first one (%s)", async (name, path) => {
    await expect.poll(async () => (await read(path)).result.success, { timeout: 10_000 }).toBe(true);
    halt(name);
    const first = await read(path);
    console.log(`${name}: the first call failed after ${Math.round(first.ms)} ms`);
    expect([first.result.status, first.ms < FIRST_MS]).toEqual([503, true]);
    for (let call = 0; call < 3; call++) {
      const next = await read(path);
      expect([next.result.status, next.ms < FAST_MS]).toEqual([503, true]);
    }
  });

  it("fails nothing while services are slow but respond", async () => {
    const stop = new AbortController();
    const statuses = new Set<number>();
    const reading = Array.from({ length: 4 }, async () => {
      while (!stop.signal.aborted)
        for (const path of ["/api/token/", "/api/channel/", "/api/user/messages/", "/api/log/"])
          statuses.add((await read(path)).result.status);
    });
    // Moments in which a service gets no processor.
    for (let moment = 0; moment < 6; moment++)
      for (const name of ["billing", "channel", "messaging"]) {
        at.world.kill(name, "SIGSTOP");
        await wait(350);
        at.world.kill(name, "SIGCONT");
      }
    stop.abort();
    await Promise.all(reading);
    expect([...statuses]).toEqual([200]);
  }, 60_000);

  it("lists channels without the totals of a billing service that is stopped, and marks them", async () => {
    const [known] = await at.testSite.root.get<{ used_quota_missing?: boolean }[]>("/api/channel/");
    expect(known?.used_quota_missing).toBeUndefined();
    halt("billing");
    const { result, ms } = await timed(() =>
      at.testSite.root.get<{ used_quota: number; used_quota_missing?: boolean }[]>("/api/channel/"),
    );
    expect(ms).toBeLessThan(FIRST_MS);
    expect(result[0]).toMatchObject({ used_quota: 0, used_quota_missing: true });
  });

  it("fails calls fast with a token that the relay has not seen", async () => {
    halt("billing");
    const first = await timed(() => callRelay(freshKey()));
    expect(first.result.status).toBe(503);
    expect(first.ms).toBeLessThan(FIRST_MS);
    const next = await timed(() => callRelay(freshKey()));
    expect(next.result.status).toBe(503);
    expect(next.result.headers.get("retry-after")).not.toBeNull();
    expect(next.ms).toBeLessThan(FAST_MS);
  });

  it("fails calls fast of a user whom the relay has not seen, while auth is down", async () => {
    const user = await at.testSite.createUser(1_000_000);
    const { key } = await at.testSite.token({}, user.client);
    halt("auth");
    const first = await timed(() => callRelay(key.replace(/^sk-/, "")));
    expect([first.result.status, first.ms < FIRST_MS]).toEqual([503, true]);
    expect(first.result.headers.get("retry-after")).not.toBeNull();
    const next = await timed(() => callRelay(key.replace(/^sk-/, "")));
    expect([next.result.status, next.ms < FAST_MS]).toEqual([503, true]);
  });

  it("leaves pages usable that do not need it: auth, for a session verified a moment ago", async () => {
    expect((await read("/api/channel/")).result.success).toBe(true);
    halt("auth");
    await read("/api/channel/");
    const channels = await read("/api/channel/");
    expect(channels.result.success).toBe(true);
    expect(channels.ms).toBeLessThan(FAST_MS);
    // Nothing may be changed by a session that cannot be verified.
    const change = await timed(() => at.testSite.root.call("DELETE", "/api/channel/999999"));
    expect(change.result.status).toBe(503);
    expect(change.ms).toBeLessThan(FAST_MS);
    const visitor = await timed(() => at.world.visitor().call("GET", "/api/channel/"));
    expect(visitor.result.status).toBe(401);
  });
});
