import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { providerReportsFound } from "@turnpike/shared/events/billing";
import { registry } from "@turnpike/shared/telemetry/metrics";
import type { ReportLine } from "@turnpike/proto/channel/v1/channel_report_service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { actor, admin, type BillingWorld, startBillingWorld } from "../billing-world.ts";

const DAY_SECONDS = 86_400;
const CHANNELS = [41, 42];
const SHAPE = { kinds: ["input", "cache_read", "output", "web_search"], hasTiers: true };

describe("provider's report", () => {
  let world: BillingWorld;
  let nextId = 1;
  const today = Math.floor(Date.now() / 1000 / DAY_SECONDS) * DAY_SECONDS;
  const day = today - 20 * DAY_SECONDS;
  let rates: { input: number; cache_read: number; output: number };

  const insert = (channel: number, createdAt: number, row: Record<string, unknown> = {}) =>
    world.collections.logs.insertOne({
      _id: nextId,
      createdAt,
      type: 2,
      userId: 1,
      username: "ada",
      tokenId: 1,
      tokenName: "t",
      modelName: "house-alias",
      channel,
      channelName: "c",
      group: "vip",
      isStream: false,
      useTime: 1,
      promptTokens: 1_000_000,
      completionTokens: 100_000,
      quota: 7,
      content: "",
      clientIp: "",
      requestId: `report-${nextId++}`,
      // What the operator charges is no part of the comparison.
      other: JSON.stringify({
        group_ratio: 3,
        cache_tokens: 200_000,
        upstream_model_name: "gpt-4.1",
        is_model_mapped: true,
      }),
      ...row,
    });
  const usage = (tokens: Record<string, number>, model = "gpt-4.1-2025-04-14"): ReportLine[] =>
    Object.entries(tokens).map(([kind, count]) => {
      return { model, kind, tier: "", tokens: count, isCost: false, costNanodollars: 0, label: "" };
    });
  const bill = (dollars: Record<string, number>, model = "gpt-4.1-2025-04-14"): ReportLine[] =>
    Object.entries(dollars).map(([kind, cost]) => {
      return { model, kind, tier: "", tokens: 0, isCost: true, costNanodollars: Math.round(cost * 1e9), label: kind };
    });
  const report = (at: number, lines: ReportLine[]) => {
    const account = world.reportAccounts.get(41) ?? { channelIds: CHANNELS, reports: new Map() };
    world.reportAccounts.set(41, account);
    account.reports.set(at, { ...SHAPE, lines });
  };
  const check = async (at = day) =>
    (await world.providerReports.checkReportDay({ channelId: 41, daySeconds: at + 5 }, admin)).day;
  const list = async () => (await world.providerReports.listReportDays({ channelIds: CHANNELS }, admin)).days;

  beforeAll(async () => {
    world = await startBillingWorld();
    const { options } = await world.priceBook.getPriceBook({});
    const { rules } = JSON.parse(options.find(({ key }) => key === CATALOGUE_ROW)?.value ?? "{}") as {
      rules: Record<string, typeof rates>;
    };
    rates = rules["gpt-4.1"] as typeof rates;
    await insert(41, day + 10);
    await insert(42, day + DAY_SECONDS - 1);
    // Another day, another account, an error, a cached response.
    await insert(41, day + DAY_SECONDS);
    await insert(43, day + 10);
    await insert(41, day + 10, { type: 6 });
    await insert(41, day + 10, { other: JSON.stringify({ group_ratio: 1, response_cache_ratio: 0.1 }) });
  });
  afterAll(() => world.stop());

  const TOKENS = { input: 1_600_000, cache_read: 400_000, output: 200_000 };
  const getCosts = (tokens: Record<string, number>) =>
    Object.fromEntries(
      Object.entries(tokens).map(([kind, count]) => [kind, (count * rates[kind as keyof typeof rates]) / 1e6]),
    );

  it("agrees with the log of all channels of an account, at the catalogue's prices and by the upstream's names", async () => {
    report(day, [...usage(TOKENS), ...bill(getCosts(TOKENS))]);
    const checked = await check();
    expect(checked).toMatchObject({ calls: 2, estimatedCalls: 0, tokens: 2_200_000, problem: "", differences: [] });
    expect(checked?.cost).toBe(checked?.reportedCost);
  });

  it("names each seeded error with its amount, and is stored", async () => {
    const seen = { input: 2_100_000, cache_read: 100_000, output: 200_000 };
    report(day, [
      ...usage(seen),
      ...bill(getCosts(seen)),
      ...usage({ output: 10 }, "o3"),
      ...bill({ output: 0.75 }, "o3"),
    ]);
    const checked = await check();
    const found = checked?.differences.map(({ reason, model, kind, tokens, cost }) => [
      reason,
      model,
      kind,
      tokens,
      cost,
    ]);
    const cache = Math.round(300_000 * (rates.input - rates.cache_read) * 1000);
    expect(found).toEqual(
      [
        ["unseen", "o3", "output", 10, 750_000_000],
        ["cache", "gpt-4.1", "input", 300_000, cache],
        ["unseen", "gpt-4.1", "input", 200_000, 200_000 * rates.input * 1000],
      ].toSorted((a, b) => Number(b[4]) - Number(a[4])),
    );
    expect(await list()).toEqual([checked]);
  });

  it("is fetched nightly for the last complete days, and again later after a failure, which is stored", async () => {
    world.reportAccounts.set(41, { channelIds: CHANNELS, reports: new Map() });
    const yesterday = Math.floor((Date.now() / 1000 - 3 * 3_600) / DAY_SECONDS - 1) * DAY_SECONDS;
    report(yesterday, []);
    world.fetchedReports.length = 0;
    await world.billing.jobs.checkDueReports();
    expect(world.fetchedReports.map(({ daySeconds }) => daySeconds)).toEqual(
      [0, 1, 2].map((n) => yesterday - n * DAY_SECONDS),
    );
    const byDay = new Map((await list()).map((one) => [one.day, one]));
    expect(byDay.get(yesterday)).toMatchObject({ problem: "", calls: 0 });
    expect(byDay.get(yesterday - DAY_SECONDS)).toMatchObject({ problem: "HTTP 503" });
    // Nothing is due again so soon.
    world.fetchedReports.length = 0;
    await world.billing.jobs.checkDueReports();
    expect(world.fetchedReports).toEqual([]);
  });

  it("causes one notice when it differs or fails repeatedly, and is counted by state", async () => {
    const found: unknown[] = [];
    world.bus.listen(providerReportsFound, ({ items }) => void found.push(...items));
    const yesterday = Math.floor((Date.now() / 1000 - 3 * 3_600) / DAY_SECONDS - 1) * DAY_SECONDS;
    const failing = yesterday - DAY_SECONDS;
    report(yesterday, bill({ output: 2 }, "o3"));
    const due = { $set: { checkedAtMs: 0, nextTryAtMs: 0, failures: 2 } };
    const days = world.collections.providerReports;
    await days.updateOne({ channelId: 41, day: failing }, due);
    await days.updateOne({ channelId: 41, day: yesterday }, { $set: { checkedAtMs: 0 } });
    const run = world.billing.jobs.checkDueReports;
    await run();
    await expect
      .poll(() => found)
      .toEqual([
        { channelId: 41, day: yesterday, state: "different", differenceCents: 200, problem: "" },
        { channelId: 41, day: failing, state: "failing", differenceCents: 0, problem: "HTTP 503" },
      ]);
    await days.updateOne({ channelId: 41, day: failing }, { $set: { nextTryAtMs: 0 } });
    await days.updateOne({ channelId: 41, day: yesterday }, { $set: { checkedAtMs: 0 } });
    await run();
    const { values } = (await registry.getSingleMetric("turnpike_billing_provider_report_days")?.get()) ?? {
      values: [],
    };
    expect(Object.fromEntries(values.map(({ labels, value }) => [labels["state"], value]))).toEqual({
      equal: 1,
      different: 1,
      failing: 1,
    });
    expect(found).toHaveLength(2);
  });

  it("keeps the last comparison of a day when it fails later", async () => {
    world.reportAccounts.get(41)?.reports.delete(day);
    await expect(check()).rejects.toMatchObject({ code: "report_failed", params: { detail: "HTTP 503" } });
    const kept = (await list()).find((one) => one.day === day);
    expect(kept).toMatchObject({ problem: "HTTP 503", calls: 2 });
    expect(kept?.differences.length).toBeGreaterThan(0);
  });

  it("is for administrators only, and of days that have begun", async () => {
    const request = { channelId: 41, daySeconds: day };
    await expect(world.providerReports.checkReportDay(request, actor(5))).rejects.toMatchObject({
      code: "permission_denied",
    });
    await expect(world.providerReports.listReportDays({ channelIds: [41] }, actor(5))).rejects.toMatchObject({
      code: "permission_denied",
    });
    const future = { ...request, daySeconds: today + 2 * DAY_SECONDS };
    await expect(world.providerReports.checkReportDay(future, admin)).rejects.toMatchObject({ code: "invalid_input" });
  });
});
