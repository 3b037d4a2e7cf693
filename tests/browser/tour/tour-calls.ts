import { openaiClient } from "../../lib/clients.ts";
import type { FakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import type { World } from "../../lib/world.ts";

const MODELS = ["gpt-4o", "gpt-4o-mini", "deepseek-chat", "claude-3-5-sonnet-20241022", "gemini-2.0-flash"];
const LONG_NAME = "night-batch-of-the-analytics";
const DAY_SECONDS = 86_400;

/** Fills a site with one of everything that its pages can show: channels, tokens, codes and calls of each state. */
export async function furnish(world: World, upstream: FakeUpstream) {
  const testSite = await openTestSite(world, upstream.url);
  const { root } = testSite;
  const nowSeconds = Math.floor(Date.now() / 1000);
  await root.post("/api/channel/", {
    type: 1,
    name: "spare account with a rather long name in another region",
    key: "sk-one\nsk-two\nsk-three",
    base_url: "https://api.openai.com",
    models: "gpt-4o,gpt-4o-mini,gpt-4.1,gpt-4.1-mini,o3,o4-mini",
    group: "default,vip",
    priority: 10,
    weight: 5,
    tag: "spare",
    model_mapping: '{"gpt-4o":"gpt-4o-2024-11-20"}',
  });
  const spare = (await root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 })).find(({ name }) =>
    name.startsWith("spare"),
  );
  await root.put("/api/channel/", { id: spare?.id ?? 0, status: 2 });
  // One channel is sold below cost, and of another the cost is unknown. The notice of it has both languages and arrives at any time.
  await root.put("/api/option/", { key: "MarginAlertPercent", value: "-100" });
  const dear = JSON.stringify({ source: "catalogue", factor: 3 });
  await root.put("/api/channel/", { id: testSite.channelIds["openai"] ?? 0, cost: dear });
  await root.put("/api/channel/", { id: testSite.channelIds["custom"] ?? 0, cost: '{"source":"reported"}' });
  await root.get(`/api/channel/test/${testSite.channelIds["openai"] ?? 0}`);

  const token = await testSite.token({ name: LONG_NAME, remain_quota: 5_000_000 });
  await testSite.token({ name: "unlimited", unlimited_quota: true, group: "default" });
  await testSite.token({
    name: "limited",
    model_limits_enabled: true,
    model_limits: "gpt-4o,gpt-4o-mini",
    expired_time: nowSeconds + 30 * DAY_SECONDS,
    allow_ips: "203.0.113.7\n198.51.100.0/24",
  });
  const off = await testSite.token({ name: "switched off" });
  await root.call("PUT", "/api/token/", { query: { status_only: true }, body: { id: off.id, status: 2 } });

  await root.post("/api/redemption/", { name: "Spring", quota: 2_500_000, count: 3 });
  await root.post("/api/redemption/", { name: "Launch gift", quota: 500_000, is_gift: true, max_uses: 50, count: 1 });
  const [code = ""] = await root.post<string[]>("/api/redemption/", { name: "Used one", quota: 1_000_000, count: 1 });
  await root.post("/api/user/topup", { key: code });

  const client = openaiClient(world.relayUrl, token.key);
  const messages = [{ role: "user" as const, content: "Hello!" }];
  for (const [index, model] of MODELS.entries()) {
    const usage = {
      inputTokens: 12_000 * (index + 1),
      cachedTokens: 2_000 * index,
      outputTokens: 900,
      reasoningTokens: 40,
    };
    upstream.next({}, { text: "Good morning.", usage }, { text: "Good evening.", usage });
    // oxlint-disable-next-line no-await-in-loop -- one after the other, so that each gets its own response
    await client.chat.completions.create({ model, messages });
    // oxlint-disable-next-line no-await-in-loop
    for await (const chunk of await client.chat.completions.create({ model, messages, stream: true })) void chunk;
  }
  upstream.next({}, { refuse: { status: 400, message: "This model's maximum context length is 128000 tokens." } });
  await client.chat.completions.create({ model: "gpt-4o", messages }).catch(() => undefined);
  await testSite.eventually("the log rows", 10_000, async () =>
    (await testSite.logs({ type: 2 })).total >= MODELS.length * 2 ? true : undefined,
  );
  await compareReport(testSite, upstream);
  await root.put("/api/option/prices", {
    changes: [
      { key: "CatalogueSchedule", value: "apply" },
      { key: "CatalogueUrl", value: "https://prices.invalid/list.json" },
    ],
  });
  const rule = { input: 2, output: 10, bands: [{ above: 272_000, input: 4 }], tiers: { priority: { input: 4 } } };
  for (const cache_read of [0.2, 0.3])
    // oxlint-disable-next-line no-await-in-loop -- the second change is the one that the history compares
    await root.put("/api/option/prices", {
      changes: [{ key: "PriceRules", set: { "model-with-tiers": { ...rule, cache_read } } }],
    });
  return testSite;
}

/** Compares a provider's report whose bill differs from the calls in several ways. */
async function compareReport({ root, channelIds }: TestSite, upstream: FakeUpstream): Promise<void> {
  const id = channelIds["openai"] ?? 0;
  const toPage = (results: readonly unknown[]) => ({ data: [{ results }], has_more: false, next_page: null });
  const cost = (line_item: string, value: number) => ({ amount: { value, currency: "usd" }, line_item });
  upstream.reports.set(
    "/v1/organization/costs",
    toPage([cost("gpt-4o-2024-08-06, input", 0.08), cost("o3-2025-04-16, output", 12.5), cost("Image models", 0.3)]),
  );
  upstream.reports.set(
    "/v1/organization/usage/completions",
    toPage([
      { model: "gpt-4o-2024-08-06", input_tokens: 30_000, output_tokens: 2_000, input_cached_tokens: 500 },
      { model: "o3-2025-04-16", output_tokens: 1_562_500, service_tier: "priority" },
    ]),
  );
  await root.call("PUT", `/api/channel/${id}/report_key`, { body: { key: "sk-admin-9f21" } });
  // The days that billing would compare by itself too: its notice about them would be a message in two languages.
  for (const daysAgo of [4, 3, 2, 1, 0])
    await root.post(`/api/channel/${id}/report`, { day: Math.floor(Date.now() / 1000) - daysAgo * 86_400 });
}
