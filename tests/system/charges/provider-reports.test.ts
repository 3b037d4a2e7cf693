import type { ChannelReport, ReportDay } from "@turnpike/contract/api/channels/provider-report";
import { describe, expect, it } from "vitest";
import { openaiClient } from "../../lib/clients.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite();

const toPage = (results: readonly unknown[]) => ({ data: [{ results }], has_more: false, next_page: null });
const cost = (line_item: string, value: number) => ({ amount: { value, currency: "usd" }, line_item });

describe("the bill of a channel's provider", () => {
  it("is compared with served calls, and each seeded error has its kind and amount", async () => {
    const { testSite, upstream, world } = at;
    const id = testSite.channelIds["openai"] ?? 0;
    const token = await testSite.token({ name: "reports", unlimited_quota: true });
    upstream.next({}, { text: "Hello.", usage: { inputTokens: 100_000, cachedTokens: 40_000, outputTokens: 10_000 } });
    await openaiClient(world.relayUrl, token.key).chat.completions.create({
      model: "gpt-4o-mini",
      messages: [{ role: "user", content: "Hello!" }],
    });
    await testSite.eventually("the log row", 10_000, async () =>
      (await testSite.logs({ type: 2 })).total > 0 ? true : undefined,
    );
    // $0.15, $0.075 and $0.60 per million. All of the cache is billed as input, and another client used a model.
    upstream.reports.set(
      "/v1/organization/costs",
      toPage([
        cost("gpt-4o-mini-2024-07-18, input", 0.015),
        cost("gpt-4o-mini-2024-07-18, output", 0.006),
        cost("gpt-4.1-2025-04-14, output", 8),
      ]),
    );
    upstream.reports.set(
      "/v1/organization/usage/completions",
      toPage([
        { model: "gpt-4o-mini-2024-07-18", input_tokens: 100_000, output_tokens: 10_000, num_model_requests: 1 },
        { model: "gpt-4.1-2025-04-14", output_tokens: 1_000_000, num_model_requests: 4 },
      ]),
    );
    const key = "sk-admin-key-of-the-organization";
    await testSite.root.call("PUT", `/api/channel/${id}/report_key`, { body: { key } });
    const day = Math.floor(Date.now() / 1000);
    const checked = await testSite.root.post<ReportDay>(`/api/channel/${id}/report`, { day });
    expect(checked.differences.map(({ reason, model, kind, cost: amount }) => [reason, model, kind, amount])).toEqual([
      ["unseen", "gpt-4.1-2025-04-14", "output", 8_000_000_000],
      ["cache", "gpt-4o-mini", "input", 3_000_000],
    ]);
    const report = await testSite.root.get<ChannelReport>(`/api/channel/${id}/report`);
    expect(report).toMatchObject({ is_supported: true, key_hint: "tion", channel_ids: [id], days: [checked] });
    expect(JSON.stringify(report)).not.toContain(key);
  });
});
