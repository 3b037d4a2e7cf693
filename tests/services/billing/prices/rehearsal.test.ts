import { optionsInForce, toPriceTables } from "@turnpike/contract/options/options-in-force";
import { CATALOGUE_ROW } from "@turnpike/contract/options/price-options";
import { priceIterations } from "@turnpike/contract/pricing/iterations";
import { findModelPrice } from "@turnpike/contract/pricing/price-tables";
import { selectPrice } from "@turnpike/contract/pricing/price-variants";
import { computeTotalQuota } from "@turnpike/contract/pricing/quota";
import { NO_USAGE, type TokenUsage, withIterations } from "@turnpike/contract/pricing/usage";
import type { PriceOptionChange, RehearsePricesResponse } from "@turnpike/proto/billing/v1/price_book_service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { STEP_ROWS_MAX } from "../../../../services/billing/src/rehearsal/rehearsal-step.ts";
import type { LogDoc } from "../../../../services/billing/src/store/usage-documents.ts";
import { getChargeFields, getIterationFields } from "../../../../services/relay/src/accounting/usage/charge-fields.ts";
import { actor, admin, type BillingWorld, startBillingWorld } from "../billing-world.ts";

const RULES = {
  banded: {
    input: 2,
    output: 10,
    cache_read: 0.2,
    cache_write: 2.5,
    audio_input: 20,
    reasoning: 12,
    bands: [{ above: 200_000, input: 4, output: 15 }],
    tiers: { flex: { input: 1, output: 5 }, priority: { input: 4, output: 20 } },
    regions: { eu: 1.1 },
  },
  spoken: { per_second: 0.0001 },
  read: { per_page: 0.002 },
};

const entries = (key: string, set: Record<string, unknown>): PriceOptionChange => ({
  key,
  value: undefined,
  reset: false,
  set: Object.fromEntries(Object.entries(set).map(([name, entry]) => [name, JSON.stringify(entry)])),
  remove: [],
});
const value = (key: string, text: string): PriceOptionChange => ({
  key,
  value: text,
  reset: false,
  set: {},
  remove: [],
});

const BASE_SECONDS = 1_700_000_000;

describe("price rehearsal", () => {
  let world: BillingWorld;
  let nextId = 1;

  const insert = (rows: readonly Partial<LogDoc>[]) =>
    world.collections.logs.insertMany(
      rows.map((row) => {
        const id = nextId++;
        return {
          _id: id,
          createdAt: BASE_SECONDS + id,
          type: 2,
          userId: 1,
          username: "ada",
          tokenId: 1,
          tokenName: "t",
          modelName: "banded",
          channel: 1,
          channelName: "c",
          group: "default",
          isStream: false,
          useTime: 1,
          promptTokens: 0,
          completionTokens: 0,
          quota: 0,
          content: "",
          clientIp: "",
          requestId: `rehearsal-${id}`,
          other: "{}",
          ...row,
        };
      }),
    );
  const pricesInForce = async () => {
    const { options } = await world.priceBook.getPriceBook({});
    return toPriceTables(optionsInForce(options));
  };
  /** The row that a relay writes for a call. */
  const toRow = async (
    usage: Partial<TokenUsage>,
    {
      model = "banded",
      group = "default",
      ratio = 1,
      facts = {},
      ...rest
    }: Record<string, unknown> & {
      model?: string;
      group?: string;
      ratio?: number;
      facts?: Record<string, unknown>;
    } = {},
  ): Promise<Partial<LogDoc>> => {
    const tables = await pricesInForce();
    const price = findModelPrice(tables, model, model, false);
    if (!price) throw new Error(`no price for ${model}`);
    const full = { ...NO_USAGE, ...usage };
    const selected = selectPrice(price, full);
    const find = (name: string) => findModelPrice(tables, name, name, false);
    const all = withIterations(full);
    const other = {
      group_ratio: ratio,
      cache_tokens: all.cacheReadTokens,
      cache_creation_tokens: all.cacheWriteTokens,
      ...getChargeFields(price, selected, full),
      ...getIterationFields(price, full, find),
      ...(full.reasoningTokens > 0 ? { reasoning_tokens: full.reasoningTokens } : {}),
      ...facts,
    };
    return {
      modelName: model,
      group,
      promptTokens: all.promptTokens,
      completionTokens: all.completionTokens,
      quota: computeTotalQuota(priceIterations(price, full, find), ratio, tables.quotaPerUnit),
      other: JSON.stringify(other),
      ...rest,
    };
  };
  const rehearse = async (changes: PriceOptionChange[], span: { start?: number; end?: number } = {}) => {
    const steps: RehearsePricesResponse[] = [];
    let after: RehearsePricesResponse["next"];
    do {
      const step = await world.priceBook.rehearsePrices(
        {
          changes,
          expectedRevision: undefined,
          startSeconds: span.start ?? BASE_SECONDS,
          endSeconds: span.end ?? BASE_SECONDS + 1_000_000,
          after,
        },
        admin,
      );
      steps.push(step);
      after = step.next;
    } while (after);
    return steps;
  };
  const only = async (changes: PriceOptionChange[], span: { start?: number; end?: number } = {}) => {
    const steps = await rehearse(changes, span);
    expect(steps).toHaveLength(1);
    return steps[0] as RehearsePricesResponse;
  };

  beforeAll(async () => {
    world = await startBillingWorld();
    await world.priceBook.changePrices(
      {
        changes: [
          entries("PriceRules", RULES),
          entries("ModelRatio", { plain: 1 }),
          entries("ModelPrice", { fixed: 0.1 }),
        ],
        expectedRevision: undefined,
        isConfirmed: undefined,
      },
      admin,
    );
  });
  afterAll(() => world.stop());

  const tokens = { promptTokens: 200_001, completionTokens: 351, cacheReadTokens: 99_999, cacheWriteTokens: 3 };
  const compaction = { kind: "compaction", isInTotals: false, usage: { ...NO_USAGE, ...tokens } };
  const advice = { ...compaction, kind: "advisor_message", model: "banded" };

  it("recalculates rows of every kind to the unit at the prices that charged them", async () => {
    const first = nextId;
    const rows = await Promise.all([
      toRow({ promptTokens: 200_000, completionTokens: 333 }),
      toRow({ promptTokens: 200_001, completionTokens: 333, cacheReadTokens: 50_000, cacheWriteTokens: 7 }),
      toRow({ promptTokens: 999, completionTokens: 77, tier: "priority" }),
      toRow({ promptTokens: 999, completionTokens: 77, tier: "unheard" }),
      toRow({ promptTokens: 999, completionTokens: 77, tier: "flex", region: "eu" }),
      toRow({ promptTokens: 1001, completionTokens: 500, reasoningTokens: 400, audioPromptTokens: 31 }),
      toRow({ promptTokens: 1001, completionTokens: 5, toolCalls: { web_search: 3 } }),
      toRow({ promptTokens: 777, completionTokens: 55, cacheReadTokens: 7 }, { model: "plain" }),
      toRow({ promptTokens: 777, completionTokens: 55, toolCalls: { file_search: 1 } }, { model: "plain" }),
      toRow({ promptTokens: 1, completionTokens: 1 }, { model: "fixed" }),
      toRow({ promptTokens: 3, seconds: 12.345 }, { model: "spoken" }),
      toRow({ promptTokens: 3, pages: 17 }, { model: "read" }),
      toRow({ promptTokens: 2001, completionTokens: 101, iterations: [compaction] }),
      toRow({ promptTokens: 777, completionTokens: 55, iterations: [compaction, advice] }, { model: "plain" }),
    ]);
    const claude = await toRow({ promptTokens: 900, completionTokens: 9, cacheReadTokens: 500 }, { model: "plain" });
    const details = JSON.parse(claude.other ?? "") as object;
    rows.push({ ...claude, promptTokens: 400, other: JSON.stringify({ ...details, claude: true }) });
    await insert(rows);
    const step = await only([], { start: BASE_SECONDS + first, end: BASE_SECONDS + nextId });
    expect(step.rows).toBe(rows.length);
    expect(step.skipped).toEqual([]);
    const charged = rows.reduce((sum, { quota = 0 }) => sum + quota, 0);
    const sums = step.models.map(({ sum }) => sum);
    expect(sums.reduce((sum, each) => sum + (each?.quota ?? 0), 0)).toBe(charged);
    expect(sums.filter((sum) => sum?.quota !== sum?.currentQuota || sum?.quota !== sum?.proposedQuota)).toEqual([]);
  });

  it("reports by model, group and user what proposed prices change, and stores nothing", async () => {
    const first = nextId;
    await insert([
      await toRow({ promptTokens: 1000, completionTokens: 100 }, { userId: 1, username: "ada", cost: 900 }),
      await toRow({ promptTokens: 1000, completionTokens: 100 }, { userId: 2, username: "bob", group: "vip" }),
      await toRow({ promptTokens: 500, completionTokens: 0 }, { userId: 2, username: "bob", model: "plain" }),
    ]);
    const span = { start: BASE_SECONDS + first, end: BASE_SECONDS + nextId };
    const before = await world.priceBook.getPriceBook({}, admin);
    const step = await only(
      [entries("PriceRules", { banded: { input: 4, output: 20 } }), entries("GroupRatio", { vip: 0.5 })],
      span,
    );
    const sumCalls = (model: string, group: string) =>
      step.models.find((one) => one.model === model && one.group === group)?.sum;
    expect(sumCalls("banded", "default")).toEqual({
      calls: 1,
      quota: 1500,
      currentQuota: 1500,
      proposedQuota: 3000,
      costedCalls: 1,
      cost: 900,
      costedCurrentQuota: 1500,
      costedProposedQuota: 3000,
    });
    expect(sumCalls("banded", "vip")).toMatchObject({ costedCalls: 0, cost: 0, costedProposedQuota: 0 });
    expect(sumCalls("banded", "vip")).toMatchObject({ calls: 1, quota: 1500, currentQuota: 1500, proposedQuota: 1500 });
    expect(step.users.find(({ userId }) => userId === 2)?.sum).toMatchObject({
      calls: 2,
      quota: 2000,
      currentQuota: 2000,
      proposedQuota: 2000,
    });
    expect(await world.priceBook.getPriceBook({}, admin)).toEqual(before);
  });

  it("calculates cached responses, special groups and tasks at their own factors", async () => {
    await world.priceBook.changePrices(
      {
        changes: [entries("GroupGroupRatio", { staff: { default: 0.25 } }), entries("ModelPrice", { suno_music: 0.2 })],
        expectedRevision: undefined,
        isConfirmed: undefined,
      },
      admin,
    );
    const first = nextId;
    const cached = await toRow({ promptTokens: 10_000, completionTokens: 0 }, { ratio: 0.1, model: "plain" });
    const cachedFacts = { ...(JSON.parse(cached.other ?? "") as object), group_ratio: 1, response_cache_ratio: 0.1 };
    await insert([
      { ...cached, other: JSON.stringify(cachedFacts) },
      await toRow({ promptTokens: 10_000, completionTokens: 0 }, { ratio: 0.25, userId: 3, username: "staff" }),
      {
        modelName: "suno_music",
        quota: 100_000,
        other: JSON.stringify({ group_ratio: 1, model_price: 0.2, task_action: "MUSIC" }),
      },
    ]);
    const step = await only(
      [
        value("ResponseCacheRatio", "0.5"),
        entries("GroupGroupRatio", { staff: { default: 0.5 } }),
        entries("ModelPrice", { suno_music: 0.3 }),
      ],
      { start: BASE_SECONDS + first, end: BASE_SECONDS + nextId },
    );
    const byModel = new Map(step.models.map(({ model, sum }) => [model, sum]));
    expect(byModel.get("plain")).toMatchObject({ quota: 1000, currentQuota: 1000, proposedQuota: 5000 });
    expect(byModel.get("banded")).toMatchObject({ quota: 2500, currentQuota: 2500, proposedQuota: 5000 });
    expect(byModel.get("suno_music")).toMatchObject({ quota: 100_000, currentQuota: 100_000, proposedQuota: 150_000 });
  });

  it("leaves refunded tasks out of both sides", async () => {
    const first = nextId;
    const other = JSON.stringify({ group_ratio: 1, model_price: 0.2, task_action: "MUSIC" });
    await insert([
      { modelName: "suno_music", quota: 100_000, cost: 40_000, other },
      { modelName: "suno_music", quota: 100_000, cost: 40_000, refunded: 100_000, reversedCost: 40_000, other },
    ]);
    const step = await only([], { start: BASE_SECONDS + first, end: BASE_SECONDS + nextId });
    expect(step.models[0]?.sum).toMatchObject({ quota: 100_000, proposedQuota: 100_000, cost: 40_000 });
  });

  it("counts rows that cannot be calculated apart, with the reason", async () => {
    const first = nextId;
    const image = { group_ratio: 1, model_price: 0.04, price_units: 2, endpoint: "openai-images" };
    await insert([
      { modelName: "plain", quota: 7, promptTokens: 5, other: "{}" },
      { modelName: "plain", quota: 3, promptTokens: 5, other: "not JSON" },
      { modelName: "retired", quota: 11, promptTokens: 5, other: JSON.stringify({ group_ratio: 1 }) },
      { modelName: "dall-e-3", quota: 40_000, promptTokens: 2, other: JSON.stringify(image) },
    ]);
    const step = await only(
      [entries("PriceRules", { "dall-e-3": { per_image: { "1024x1024": 0.04, "1792x1024": 0.08 } } })],
      {
        start: BASE_SECONDS + first,
        end: BASE_SECONDS + nextId,
      },
    );
    expect(step.models).toEqual([]);
    expect(step.skipped.toSorted((a, b) => (a.reason < b.reason ? -1 : 1))).toEqual([
      { model: "plain", reason: "no_figures", calls: 2, quota: 10 },
      { model: "dall-e-3", reason: "no_image_kind", calls: 1, quota: 40_000 },
      { model: "retired", reason: "no_price", calls: 1, quota: 11 },
    ]);
  });

  it("reads a long span in steps that miss and repeat no row, also within one second", async () => {
    const first = nextId;
    const row = await toRow({ promptTokens: 1000, completionTokens: 0 }, { model: "plain" });
    const count = STEP_ROWS_MAX + 1_500;
    const createdAt = BASE_SECONDS + 900_000;
    for (let start = 0; start < count; start += 5_000)
      await insert(Array.from({ length: Math.min(5_000, count - start) }, () => ({ ...row, createdAt })));
    expect(nextId - first).toBe(count);
    const steps = await rehearse([entries("ModelRatio", { plain: 3 })], { start: createdAt, end: createdAt });
    expect(steps.length).toBeGreaterThan(1);
    const sums = steps.flatMap(({ models }) => models.map(({ sum }) => sum));
    expect(steps.reduce((sum, { rows }) => sum + rows, 0)).toBe(count);
    expect(sums.reduce((sum, each) => sum + (each?.calls ?? 0), 0)).toBe(count);
    expect(sums.reduce((sum, each) => sum + (each?.proposedQuota ?? 0), 0)).toBe(count * 3000);
  });

  it("refuses wrong prices with their path, a revision that is not in force, long spans and users", async () => {
    const request = { changes: [], expectedRevision: undefined, startSeconds: 0, endSeconds: 1, after: undefined };
    const call = (change: object, caller = admin) => world.priceBook.rehearsePrices({ ...request, ...change }, caller);
    await expect(call({ changes: [entries("PriceRules", { m: { input: -1 } })] })).rejects.toMatchObject({
      code: "option_invalid",
      params: { path: 'PriceRules["m"].input' },
    });
    await expect(call({ changes: [value("SystemName", "x")] })).rejects.toMatchObject({ code: "option_unknown" });
    await expect(call({ expectedRevision: 1_000_000 })).rejects.toMatchObject({ code: "prices_changed" });
    await expect(call({ endSeconds: 400 * 86_400 })).rejects.toMatchObject({ code: "range_too_long" });
    await expect(call({ startSeconds: 5 })).rejects.toMatchObject({ code: "invalid_input" });
    await expect(call({}, actor(5))).rejects.toMatchObject({ code: "permission_denied" });
  });

  it("keeps the built-in prices under an operator's proposed entries", async () => {
    const { options } = await world.priceBook.getPriceBook({});
    expect(options.some(({ key }) => key === CATALOGUE_ROW)).toBe(true);
    const first = nextId;
    await insert([await toRow({ promptTokens: 1000, completionTokens: 0 }, { model: "gpt-4.1" })]);
    const span = { start: BASE_SECONDS + first, end: BASE_SECONDS + nextId };
    const step = await only([entries("ModelRatio", { plain: 9 })], span);
    const sum = step.models.find(({ model }) => model === "gpt-4.1")?.sum;
    expect(sum?.proposedQuota).toBe(sum?.quota);
  });
});
