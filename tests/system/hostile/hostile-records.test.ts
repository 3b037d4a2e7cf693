import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });

/** Larger than the largest message that NATS accepts. */
const LONG = "x".repeat(1_100_000);
const PROMPT = "Say hello.";

const DIALECTS: readonly { name: string; path: string; model: string; body: Record<string, unknown> }[] = [
  {
    name: "OpenAI chat",
    path: "/v1/chat/completions",
    model: "gpt-4o",
    body: { model: "gpt-4o", messages: [{ role: "user", content: PROMPT }] },
  },
  {
    name: "OpenAI responses",
    path: "/v1/responses",
    model: "claude-3-5-sonnet-20241022",
    body: { model: "claude-3-5-sonnet-20241022", input: PROMPT },
  },
  {
    name: "Anthropic messages",
    path: "/v1/messages",
    model: "gpt-4o",
    body: { model: "gpt-4o", max_tokens: 50, messages: [{ role: "user", content: PROMPT }] },
  },
  {
    name: "Gemini",
    path: "/v1beta/models/gpt-4o:generateContent",
    model: "gpt-4o",
    body: { contents: [{ role: "user", parts: [{ text: PROMPT }] }] },
  },
];

const send = (key: string, path: string, body: unknown): Promise<Response> =>
  fetch(at.world.relayUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
const getId = (response: Response): string => response.headers.get("x-request-id") ?? "";

describe("a record that is too large for NATS", () => {
  it.each(DIALECTS)("never comes from a long reasoning_effort ($name), and later calls are logged", async (dialect) => {
    const { key } = await at.testSite.token();
    const large = await send(key, dialect.path, { ...dialect.body, reasoning_effort: LONG });
    await large.text();
    const next = await send(key, dialect.path, dialect.body);
    await next.text();
    expect(next.status).toBe(200);
    expect((await at.testSite.readLogRow(getId(next))).quota).toBeGreaterThan(0);
    expect(large.status).toBe(200);
    expect((await at.testSite.readLogRow(getId(large))).other.length).toBeLessThan(5_000);
  });

  it("is refused at the edge where a model name is too long", async () => {
    const { key } = await at.testSite.token();
    for (const { path, body } of DIALECTS.slice(0, 3)) {
      const response = await send(key, path, { ...body, model: "m".repeat(300) });
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("256");
    }
  });

  it("never comes from the logged prompts of simultaneous calls", async () => {
    await at.testSite.root.put("/api/option/", { key: "LogChatContentEnabled", value: "true" });
    await expect
      .poll(
        async () => {
          const { key } = await at.testSite.token();
          const response = await send(key, "/v1/chat/completions", DIALECTS[0]?.body);
          await response.text();
          return (await at.testSite.readLogRow(getId(response))).other;
        },
        { timeout: 20_000 },
      )
      .toContain("input_content");
    at.upstream.always({}, { delayMs: 500 });
    const { key } = await at.testSite.token();
    const content = "长".repeat(8_000);
    const calls = Array.from({ length: 60 }, () =>
      send(key, "/v1/chat/completions", { model: "gpt-4o", messages: [{ role: "user", content }] }),
    );
    const responses = await Promise.all(calls);
    await at.testSite.root.put("/api/option/", { key: "LogChatContentEnabled", value: "false" });
    for (const response of responses) expect((await at.testSite.readLogRow(getId(response))).quota).toBeGreaterThan(0);
  });
});

/** Makes a call; returns after how long its usage was in the log. */
async function measurePosting(key: string): Promise<number> {
  const response = await send(key, "/v1/chat/completions", DIALECTS[0]?.body);
  await response.text();
  const startedAtMs = performance.now();
  expect((await at.testSite.readLogRow(getId(response))).quota).toBeGreaterThan(0);
  return performance.now() - startedAtMs;
}

describe("a spool with lines that cannot be sent", () => {
  const POSTED_WITHIN_MS = 2_000;

  it("does not stop the relay that takes it over, nor delays the posting of others' usage", async () => {
    const { key } = await at.testSite.token();
    const usualMs = Math.max(await measurePosting(key), await measurePosting(key), await measurePosting(key));
    const dead = join(at.world.dataFolder, "spool", "dead");
    mkdirSync(dead, { recursive: true });
    writeFileSync(join(dead, "pid"), "999999999");
    const poison = JSON.stringify({ id: "p", type: "t", source: "relay", time: "", data: { records: LONG } });
    writeFileSync(join(dead, "000-000.ndjson"), `${poison}\n{ torn\n`);
    await at.world.restart("relay");
    let slowestMs = 0;
    // The owner of the folder could be in another container: it is dead when its heartbeat has been missing for a while.
    await at.testSite.eventually("the dead letters", 60_000, async () => {
      slowestMs = Math.max(slowestMs, await measurePosting(key));
      const text = await at.world.metrics("relay");
      return text.includes('turnpike_relay_usage_dead_letters_total{reason="unreadable"} 2') || undefined;
    });
    slowestMs = Math.max(slowestMs, await measurePosting(key), await measurePosting(key));
    console.log(
      `usage next to a poisoned spool was posted within ${Math.round(slowestMs)} ms (${Math.round(usualMs)} before)`,
    );
    // A busy machine is slow without a poisoned spool, too.
    expect(slowestMs).toBeLessThan(POSTED_WITHIN_MS + usualMs);
    await expect
      .poll(() => at.world.metrics("relay"), { timeout: 10_000 })
      .toMatch(/^turnpike_relay_spooled_bytes 0$/m);
  }, 120_000);
});

describe("final ledger state", () => {
  it("has matching ledger and credits, rollups and spending for every account", () =>
    ledgerCheck(at.world, { timeoutMs: 30_000 }));
});
