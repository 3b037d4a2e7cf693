import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { getRowQuota } from "../../lib/row-quota.ts";
import { type LogRow, openTestSite, type TestSite } from "../../lib/test-site.ts";
import { checkSettledLedger } from "../../lib/ledger-check.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

type Dialect = "chat" | "messages" | "responses" | "gemini";
const DIALECTS: readonly Dialect[] = ["chat", "messages", "responses", "gemini"];
const PATHS = { chat: "/v1/chat/completions", messages: "/v1/messages", responses: "/v1/responses" } as const;
const HELLO = [{ role: "user", content: "hello world" }];
const BODIES = {
  chat: { messages: HELLO, stream_options: { include_usage: true } },
  messages: { messages: HELLO, max_tokens: 1000 },
  responses: { input: "hello world" },
  gemini: { contents: [{ role: "user", parts: [{ text: "hello world" }] }] },
} as const;

/** Dollars per million tokens, in and out, as the providers list them: [above, input, output], the longest prompts first. */
type Band = readonly [above: number, input: number, output: number];
const GPT: Readonly<Record<string, readonly Band[]>> = {
  "": [
    [272_000, 5, 22.5],
    [0, 2.5, 15],
  ],
  flex: [
    [272_000, 2.5, 11.25],
    [0, 1.25, 7.5],
  ],
  // The list has no price of this tier for long prompts: twice the standard one, as for short ones.
  priority: [
    [272_000, 10, 45],
    [0, 5, 30],
  ],
};
const GEMINI: Readonly<Record<string, readonly Band[]>> = {
  "": [
    [200_000, 2.5, 15],
    [0, 1.25, 10],
  ],
  priority: [
    [200_000, 4.5, 27],
    [0, 2.25, 18],
  ],
  flex: [
    [200_000, 1.25, 7.5],
    [0, 0.625, 5],
  ],
};
const CLAUDE: Readonly<Record<string, readonly Band[]>> = { "": [[0, 5, 25]], fast: [[0, 10, 50]] };

const PRICES = { "gpt-5.4": GPT, "gemini-2.5-pro": GEMINI, "claude-opus-5": CLAUDE } as const;
type Model = keyof typeof PRICES;

/** The prompt lengths at the limits of the bands. */
const LENGTHS = [200_000, 200_001, 272_000, 272_001];
const OUTPUT_TOKENS = 100;
/** An option is in force after a second, later on a busy machine. */
const WAIT = { timeout: 10_000 };

/** Half a unit for each dollar and token of a million, the halves rounded up. */
function calculateQuota(model: Model, tokens: number, { tier = "", factor = 1 } = {}): number {
  const band = PRICES[model][tier]?.find(([above]) => tokens > above);
  if (!band) throw new Error(`no price of ${model} for ${tier}`);
  return Math.round(((tokens * band[1] + OUTPUT_TOKENS * band[2]) / 2) * factor);
}

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
let key: string;

type Call = { readonly dialect: Dialect; readonly model: string; readonly stream?: boolean; readonly body?: object };

async function send({ dialect, model, stream = false, body = {} }: Call): Promise<Response> {
  const path =
    dialect === "gemini"
      ? `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`
      : PATHS[dialect];
  const { stream_options: options, ...rest } = BODIES[dialect] as { stream_options?: object };
  const streaming =
    stream && dialect !== "gemini" ? { stream: true, ...(options ? { stream_options: options } : {}) } : {};
  return fetch(world.relayUrl + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ ...rest, ...(dialect === "gemini" ? {} : { model }), ...streaming, ...body }),
  });
}

async function readLogRow(call: Call): Promise<LogRow> {
  const response = await send(call);
  const text = await response.text();
  expect({ status: response.status, text }).toEqual({ status: 200, text });
  return testSite.readLogRow(response.headers.get("x-request-id") ?? "");
}

const readDetails = ({ other }: LogRow) => JSON.parse(other) as Record<string, unknown>;

const serve = (tokens: number, more: { tier?: string; region?: string } = {}): void =>
  upstream.always({}, { text: "Fine.", usage: { inputTokens: tokens, outputTokens: OUTPUT_TOKENS, ...more } });

const setOption = (name: string, value: string) => testSite.root.put("/api/option/", { key: name, value });

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  testSite = await openTestSite(world, upstream.url);
  const place = { key: "up-key", base_url: upstream.url, group: "default", priority: 1 };
  await testSite.root.post("/api/channel/", { ...place, type: 1, name: "gpt", models: "gpt-5.4,plain-model" });
  await testSite.root.post("/api/channel/", { ...place, type: 14, name: "claude", models: "claude-opus-5" });
  await testSite.root.post("/api/channel/", { ...place, type: 24, name: "gemini", models: "gemini-2.5-pro" });
  const { client } = await testSite.createUser(100_000_000_000);
  ({ key } = await testSite.token({ unlimited_quota: true }, client));
  await setOption("ModelRatio", JSON.stringify({ "plain-model": 1 }));
}, 120_000);
afterAll(async () => {
  await world.stop();
  await upstream.stop();
});
afterAll(() => checkSettledLedger(world), 60_000);

describe("price band", () => {
  const models = Object.keys(PRICES) as Model[];
  const rows = DIALECTS.flatMap((dialect) =>
    models.flatMap((model) => [false, true].map((stream) => [dialect, model, stream] as const)),
  );
  it.each(rows)("prices the complete call: %s, %s, streamed %s", async (dialect, model, stream) => {
    for (const tokens of LENGTHS) {
      serve(tokens);
      const row = await readLogRow({ dialect, model, stream });
      expect({ tokens, quota: row.quota }).toEqual({ tokens, quota: calculateQuota(model, tokens) });
      expect(getRowQuota(row)).toBe(row.quota);
    }
  });
});

describe("service tier", () => {
  it.each([
    // the tier requested, the one reported, the one charged
    ["priority", "priority", "priority"],
    ["priority", "default", ""],
    ["flex", "flex", "flex"],
    ["flex", "default", ""],
    ["auto", "priority", "priority"],
    [undefined, "flex", "flex"],
    [undefined, "default", ""],
  ])("is charged as upstream reports it: requested %s, reported %s", async (requested, reported, charged) => {
    const body = requested === undefined ? {} : { service_tier: requested };
    for (const dialect of ["chat", "responses"] as const)
      for (const stream of [false, true])
        for (const tokens of [1000, ...LENGTHS]) {
          serve(tokens, { tier: reported });
          const row = await readLogRow({ dialect, model: "gpt-5.4", stream, body });
          expect(row.quota).toBe(calculateQuota("gpt-5.4", tokens, { tier: charged }));
          expect(getRowQuota(row)).toBe(row.quota);
          expect(readDetails(row)["price_tier"]).toBe(charged === "" ? undefined : charged);
        }
  });

  const reports = [
    // the model, the tier of its provider's response, the tier charged
    ["gpt-5.4", "flex", "flex"],
    ["gpt-5.4", "priority", "priority"],
    ["gemini-2.5-pro", "ON_DEMAND_PRIORITY", "priority"],
    ["gemini-2.5-pro", "ON_DEMAND_FLEX", "flex"],
    ["claude-opus-5", "fast", "fast"],
  ] as const;
  const cases = DIALECTS.flatMap((dialect) =>
    reports.flatMap(([model, tier, charged]) =>
      [false, true].map((stream) => ({ dialect, model, tier, charged, stream })),
    ),
  );
  it.each(cases)(
    "is charged at each limit of a band: $dialect, $model, reported $tier as $charged, streamed $stream",
    async ({ dialect, model, tier, charged, stream }) => {
      for (const tokens of LENGTHS) {
        serve(tokens, { tier });
        const row = await readLogRow({ dialect, model, stream });
        expect({ tokens, quota: row.quota }).toEqual({
          tokens,
          quota: calculateQuota(model, tokens, { tier: charged }),
        });
        expect(getRowQuota(row)).toBe(row.quota);
        expect(readDetails(row)["price_tier"]).toBe(charged);
      }
    },
  );

  it.each(DIALECTS.flatMap((dialect) => [false, true].map((stream) => [dialect, stream] as const)))(
    "is charged by Google's traffic type and Anthropic's speed and region: %s, streamed %s",
    async (dialect, stream) => {
      serve(200_001, { tier: "ON_DEMAND_PRIORITY" });
      const google = await readLogRow({ dialect, model: "gemini-2.5-pro", stream });
      expect(google.quota).toBe(calculateQuota("gemini-2.5-pro", 200_001, { tier: "priority" }));
      serve(1000, { tier: "ON_DEMAND" });
      expect((await readLogRow({ dialect, model: "gemini-2.5-pro", stream })).quota).toBe(
        calculateQuota("gemini-2.5-pro", 1000),
      );
      serve(1000, { tier: "fast", region: "us" });
      const fast = await readLogRow({ dialect, model: "claude-opus-5", stream });
      expect(fast.quota).toBe(calculateQuota("claude-opus-5", 1000, { tier: "fast", factor: 1.1 }));
      expect(readDetails(fast)).toMatchObject({ price_tier: "fast", region: "us", region_ratio: 1.1 });
      expect(getRowQuota(fast)).toBe(fast.quota);
    },
  );

  it("without a price, named by the response only, is charged at the most expensive price, and marked", async () => {
    serve(1000, { tier: "scale" });
    const row = await readLogRow({ dialect: "chat", model: "gpt-5.4" });
    expect(row.quota).toBe(calculateQuota("gpt-5.4", 1000, { tier: "priority" }));
    expect(readDetails(row)).toMatchObject({ service_tier: "scale", price_tier: "priority", price_tier_assumed: true });
    serve(1000, { tier: "scale" });
    const plain = await readLogRow({ dialect: "chat", model: "plain-model" });
    expect(plain.quota).toBe(1100);
    expect(readDetails(plain)).toMatchObject({ service_tier: "scale", price_tier_assumed: true });
  });

  it.each(["chat", "messages", "responses", "gemini"] as const)(
    "without a price is refused by default: %s",
    async (dialect) => {
      const before = upstream.calls.length;
      const response = await send({ dialect, model: "gpt-5.4", body: { service_tier: "scale" } });
      expect(response.status).toBe(400);
      const text = await response.text();
      expect(text).toContain("scale");
      const refusals = { messages: "invalid_request_error", gemini: "INVALID_ARGUMENT" };
      const isOpenAi = dialect === "chat" || dialect === "responses";
      expect(text).toContain(isOpenAi ? '"code":"unsupported_service_tier"' : refusals[dialect]);
      expect(text.includes('"param":"service_tier"')).toBe(isOpenAi);
      expect(upstream.calls.length).toBe(before);
    },
  );

  it("without a price is left out or charged at the standard price, as the option is set", async () => {
    await setOption("UnpricedTiers", "strip");
    serve(1000);
    await expect
      .poll(
        async () => (await send({ dialect: "chat", model: "gpt-5.4", body: { service_tier: "scale" } })).status,
        WAIT,
      )
      .toBe(200);
    expect(upstream.calls.at(-1)?.body).not.toHaveProperty("service_tier");
    await setOption("UnpricedTiers", "standard");
    serve(1000, { tier: "scale" });
    const call = { dialect: "chat", model: "gpt-5.4", body: { service_tier: "scale" } } as const;
    await expect
      .poll(async () => {
        await send(call).then((response) => response.text());
        return upstream.calls.at(-1)?.body;
      }, WAIT)
      .toMatchObject({ service_tier: "scale" });
    const row = await readLogRow(call);
    expect(row.quota).toBe(calculateQuota("gpt-5.4", 1000));
    expect(readDetails(row)["price_tier_assumed"]).toBeUndefined();
    await setOption("UnpricedTiers", "refuse");
  });
});

describe("operator's price", () => {
  it("keeps the proportion of bands and tiers", async () => {
    await setOption("ModelRatio", JSON.stringify({ "plain-model": 1, "gpt-5.4": 2.5 }));
    serve(272_001, { tier: "priority" });
    await expect
      .poll(async () => (await readLogRow({ dialect: "chat", model: "gpt-5.4" })).quota, WAIT)
      .toBe(calculateQuota("gpt-5.4", 272_001, { tier: "priority", factor: 2 }));
  });

  it("may be a rule, also in LiteLLM's words, and a wrong rule is refused with its path", async () => {
    const rule = {
      input_cost_per_token: 1e-6,
      output_cost_per_token: 2e-6,
      input_cost_per_token_above_200k_tokens: 3e-6,
      output_cost_per_token_above_200k_tokens: 4e-6,
      input_cost_per_token_priority: 5e-6,
      output_cost_per_token_priority: 6e-6,
    };
    await setOption("PriceRules", JSON.stringify({ "plain-model": rule }));
    serve(1000);
    await expect
      .poll(async () => (await readLogRow({ dialect: "chat", model: "plain-model" })).quota, WAIT)
      .toBe((1000 * 1 + 100 * 2) / 2);
    serve(200_001);
    expect((await readLogRow({ dialect: "chat", model: "plain-model" })).quota).toBe(
      Math.round((200_001 * 3 + 400) / 2),
    );
    serve(1000, { tier: "priority" });
    expect((await readLogRow({ dialect: "chat", model: "plain-model" })).quota).toBe(2800);
    const wrong = {
      m: {
        input: 1,
        output: 2,
        bands: [
          { above: 2, input: 1 },
          { above: 1, input: 1 },
        ],
      },
    };
    await expect(setOption("PriceRules", JSON.stringify(wrong))).rejects.toThrow(
      /PriceRules\["m"\]\.bands\[1\]\.above|bands/,
    );
    const table = (await testSite.root.get<{ key: string; value: string }[]>("/api/option/")).find(
      (option) => option.key === "PriceRules",
    );
    expect(JSON.parse(table?.value ?? "{}")).toEqual({
      "plain-model": {
        input: 1,
        output: 2,
        bands: [{ above: 200_000, input: 3, output: 4 }],
        tiers: { priority: { input: 5, output: 6 } },
      },
    });
  });
});
