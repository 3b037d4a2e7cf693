import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openaiClient } from "../../lib/clients.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

type Shown = {
  readonly id: number;
  readonly name: string;
  readonly status: number;
  readonly tag: string;
  readonly test_time: number;
  readonly other_info: string;
  readonly health: { state: string; calls: number; error_rate: number; latency_ms: number; last_error: string };
};
type Run = { readonly kind: string; readonly running: boolean; readonly done: number; readonly failed: number };

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

const listed = () => testSite.root.get<Shown[]>("/api/channel/", { page_size: 100 });
const named = async (name: string): Promise<Shown | undefined> =>
  (await listed()).find((channel) => channel.name === name);

describe("channels in the running system", () => {
  it("shows the health of their calls soon after, streams by time to first byte, without keys in errors", async () => {
    const { key } = await testSite.token();
    const client = openaiClient(world.relayUrl, key);
    const request = { model: "gpt-4o", messages: [{ role: "user" as const, content: "hi" }] };
    expect((await named("openai"))?.health).toMatchObject({ state: "idle", calls: 0, last_error: "" });
    await client.chat.completions.create(request);
    upstream.next({}, { pieces: 5, frameGapMs: 400 });
    for await (const _ of await client.chat.completions.create({ ...request, stream: true }));
    upstream.next({}, { raw: { status: 500, body: `{"error":{"message":"broken for up-openai-key"}}` } });
    await expect(client.chat.completions.create(request)).rejects.toMatchObject({ status: 500 });
    await expect.poll(async () => (await named("openai"))?.health.calls, { timeout: 15_000 }).toBe(3);
    const health = (await named("openai"))?.health;
    expect(health).toMatchObject({ state: "closed", last_error: "broken for [key]" });
    expect(health?.error_rate).toBeCloseTo(1 / 3);
    // The stream took 1.6 s, its first byte far less.
    expect(health?.latency_ms).toBeLessThan(1_000);
  });

  it("tests all channels in the background by real calls", async () => {
    upstream.reset();
    await testSite.root.get("/api/channel/test");
    const again = await testSite.root.call("GET", "/api/channel/test/");
    expect(again.success || again.code === "channel_test_running").toBe(true);
    const run = async () => (await testSite.root.get<Run[]>("/api/channel/runs")).find(({ kind }) => kind === "test");
    await expect.poll(run, { timeout: 15_000 }).toMatchObject({ running: false, done: 4, failed: 0 });
    expect((await listed()).every((channel) => channel.test_time > 0 && channel.status === 1)).toBe(true);
  });

  it("disables channels when their key is refused or all of their keys fail, and re-enables them after a successful test", async () => {
    const switchOption = (option: string, value: string) => testSite.root.put("/api/option/", { key: option, value });
    await switchOption("AutomaticDisableChannelEnabled", "true");
    await switchOption("AutomaticEnableChannelEnabled", "true");
    for (const [name, keys] of [
      ["refused", "refused-key"],
      ["down", "down-key-1,down-key-2,down-key-3"],
    ])
      await testSite.root.post("/api/channel/", {
        type: 1,
        name,
        key: keys,
        base_url: upstream.url,
        models: `gpt-${name}`,
      });
    const { key } = await testSite.token();
    await switchOption("ModelPrice", JSON.stringify({ "gpt-refused": 0.001, "gpt-down": 0.001 }));
    upstream.always({ model: "gpt-refused" }, { refuse: { status: 401 } });
    upstream.always({ model: "gpt-down" }, { refuse: { status: 500 } });
    const request = (model: string) =>
      openaiClient(world.relayUrl, key)
        .chat.completions.create({ model, messages: [{ role: "user", content: "hi" }] })
        .catch(() => undefined);
    const shown = async (name: string) => {
      const { status, other_info: info } = (await named(name)) ?? { status: 0, other_info: "" };
      return [status, info !== "" && "disabled_keys" in (JSON.parse(info) as object)];
    };
    await expect
      .poll(
        async () => {
          await Promise.all([request("gpt-refused"), request("gpt-down")]);
          return [await shown("refused"), await shown("down")];
        },
        { timeout: 15_000, interval: 200 },
      )
      .toEqual([
        [3, true],
        [3, false],
      ]);
    upstream.reset();
    await testSite.root.get("/api/channel/test");
    await expect
      .poll(async () => [await shown("refused"), await shown("down")], { timeout: 15_000 })
      .toEqual([
        [1, false],
        [1, false],
      ]);
    await switchOption("AutomaticDisableChannelEnabled", "false");
    for (const name of ["refused", "down"])
      await testSite.root.call("DELETE", `/api/channel/${(await named(name))?.id ?? 0}`);
  });

  it("tags, enables, disables and deletes channels in bulk", async () => {
    const ids = [testSite.channelIds["custom"], testSite.channelIds["gemini"]];
    expect(await testSite.root.post("/api/channel/batch/tag", { ids, tag: "spare" })).toBe(2);
    expect(await testSite.root.post("/api/channel/tag/disabled", { tag: "spare" })).toBe(2);
    const tagged = await testSite.root.get<Shown[]>("/api/channel/", { tag_mode: true });
    expect(Object.fromEntries(tagged.map(({ name, status }) => [name, status]))).toEqual({ custom: 2, gemini: 2 });
    expect(await testSite.root.delete("/api/channel/disabled")).toBe(2);
    expect((await listed()).map(({ name }) => name).toSorted()).toEqual(["anthropic", "openai"]);
  });
});
