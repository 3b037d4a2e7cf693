import { FALLBACK_CAUSES } from "@turnpike/contract/options/model-routes";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import type { Scenario } from "../../lib/fake-upstream/scenario.ts";
import { type LogRow, openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

/** Deadlines are short here; scripted delays are far longer. */
const DEADLINES = { FIRST_BYTE_TIMEOUT: "1", STREAMING_TIMEOUT: "1.5", RESPONSE_TIMEOUT_SECONDS: "2" };
const LATE_MS = 20_000;

const GOOD: Scenario = { pieces: 5, usage: { inputTokens: 11, outputTokens: 7 } };
const GOOD_QUOTA = 18;
/** Sixty frames of text. */
const LONG: Scenario = { pieces: 60 };

/** As Anthropic words them, which has no code for either. */
const TOO_LONG = "prompt is too long: 213462 tokens > 200000 maximum";
const FILTERED = "Output blocked by content filtering policy";

type Fault = readonly [name: string, scenario: Scenario];

/** Failures before any part of the response was sent to the caller. */
const BEFORE: readonly Fault[] = [
  ["429 with Retry-After", { refuse: { status: 429, headers: { "retry-after": "5" } } }],
  ["429 without Retry-After", { refuse: { status: 429 } }],
  ["500", { refuse: { status: 500 } }],
  ["503", { refuse: { status: 503 } }],
  ["401", { refuse: { status: 401 } }],
  ["a connection that is reset", { dropConnection: true }],
  ["no response at all", { neverRespond: true }],
  ["an HTML page", { raw: { status: 200, headers: { "content-type": "text/html" }, body: "<html>" } }],
];
/** Streams only. */
const BEFORE_STREAMS: readonly Fault[] = [
  ["headers and no first token", { firstFrameDelayMs: LATE_MS }],
  ["headers and then a cut", { cutAfterFrames: 0 }],
  ["headers and then an end", { endAfterFrames: 0 }],
  ["an error as first event", { errorAfterFrames: 0 }],
  ["an unreadable first event", { malformedFrame: 0 }],
];
/** Non-streaming responses only: nothing has been sent, whatever the failure. */
const BEFORE_WHOLE: readonly Fault[] = [
  ["a body that is cut", { ...LONG, cutAfterBytes: 100 }],
  [
    "a body that is not JSON",
    { raw: { status: 200, headers: { "content-type": "application/json" }, body: '{"id":' } },
  ],
  ["a response after its deadline", { delayMs: LATE_MS }],
];
/** Failures after a part of the stream was sent. */
const AFTER: readonly Fault[] = [
  ["a cut after 40 of 60 frames", { ...LONG, cutAfterFrames: 40 }],
  ["a stall after 40 of 60 frames", { ...LONG, stallAfterFrames: 40 }],
  ["a malformed frame", { ...LONG, malformedFrame: 40 }],
  ["a missing end marker", { ...LONG, endAfterFrames: 40 }],
  ["an error event", { ...LONG, errorAfterFrames: 40 }],
];

/** Suffix of model names that OpenAI and Azure serve through their Responses API only. */
const RESPONSES_ONLY = "codex";

/** The caller's dialect, the type of the channels, and the model names if they matter. */
const PAIRS = [
  ["openai", 1],
  ["anthropic", 14],
  ["anthropic", 1],
  ["openai", 14],
  ["gemini", 24],
  ["openai", 24],
  ["gemini", 1],
  ["openai", 1, RESPONSES_ONLY],
  ["anthropic", 3, RESPONSES_ONLY],
  ["gemini", 1, RESPONSES_ONLY],
] as const;
/** What serves a call whose first channel or model fails. */
type Second = "channel" | "model";
type Pair = readonly [dialect: (typeof PAIRS)[number][0], type: number, name?: string];

/**
 * Failures of an upstream, and what callers of each dialect notice of them: nothing before the first byte, where a second channel
 * serves the model or a second model serves the call.
 */
export function failoverKit(second: Second): void {
  let world: World;
  let bad: FakeUpstream;
  let good: FakeUpstream;
  let testSite: TestSite;
  let key: string;
  const channelIds = new Map<string, string>();
  /** The model that the second channel serves. */
  const getSecond = (model: string): string => (second === "model" ? `after-${model}` : model);
  const getName = (fault: string, [dialect, type, name = "chat"]: Pair, stream: boolean): string =>
    `${fault} ${dialect} ${type} ${stream} ${name}`.replaceAll(" ", "-");

  const cases = (stream: boolean): Fault[] => [
    ...BEFORE,
    ...(stream ? [...BEFORE_STREAMS, ...AFTER] : BEFORE_WHOLE),
    ["a request that is too long", { refuse: { status: 400, code: "context_length_exceeded", message: TOO_LONG } }],
    ["a prompt that is filtered", { refuse: { status: 400, code: "content_filter", message: FILTERED } }],
  ];

  async function makeChannel(fields: Record<string, unknown>): Promise<void> {
    await testSite.root.post("/api/channel/", { group: "default", ...fields });
  }

  beforeAll(async () => {
    [bad, good] = await Promise.all([startFakeUpstream(), startFakeUpstream()]);
    good.always({}, GOOD);
    world = await startWorld({ backing: testBacking(), env: { ...DEADLINES, GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
    testSite = await openTestSite(world, good.url);
    for (const [option, value] of [
      ["fallback_input_ratio", "1"],
      ["fallback_completion_ratio", "1"],
      ["fallback_pricing_enabled", "true"],
    ])
      await testSite.root.put("/api/option/", { key: option, value });
    ({ key } = await testSite.token());
    const models = new Map<number, string[]>([
      [1, ["flapping", "resting", "failing", "hurried", "shedding-codex"]],
      [3, []],
      [14, []],
      [24, []],
    ]);
    for (const pair of PAIRS)
      for (const stream of [true, false])
        for (const [fault, scenario] of cases(stream)) {
          const model = getName(fault, pair, stream);
          bad.always({ model }, scenario);
          models.get(pair[1])?.push(model);
        }
    // One failing channel for each model, so that the circuit breaker of one failure does not hide another.
    for (const [type, names] of models) {
      for (const model of names)
        await makeChannel({ type, name: model, key: `bad-${model}`, base_url: bad.url, models: model, priority: 10 });
      await makeChannel({
        type,
        name: `good-${type}`,
        key: "good",
        base_url: good.url,
        models: names.map(getSecond).join(","),
      });
    }
    await testSite.root.put("/api/option/", { key: "FallbackCauses", value: JSON.stringify(FALLBACK_CAUSES) });
    for (const page of [0, 1, 2, 3]) {
      const found = await testSite.root.get<{ id: number; name: string }[]>("/api/channel/", {
        page_size: 100,
        p: page,
      });
      for (const { id, name } of found) channelIds.set(name, String(id));
    }
    await testSite.eventually(
      "service",
      20_000,
      async () => (await request("failing", "openai", false)).status === 200 || undefined,
    );
  }, 180_000);
  afterAll(async () => {
    await world?.stop();
    await Promise.all([bad?.stop(), good?.stop()]);
  });

  type Ended = { status: number; headers: Headers; text: string; requestId: string };

  type SentRequest = { readonly path: string; readonly headers: Record<string, string>; readonly body: object };

  function askingFor(model: string, dialect: Pair[0], stream: boolean): SentRequest {
    if (dialect === "gemini") {
      const call = stream ? "streamGenerateContent?alt=sse" : "generateContent";
      const contents = [{ role: "user", parts: [{ text: "Hello there" }] }];
      const body = { contents, generationConfig: { maxOutputTokens: 100 } };
      return { path: `/v1beta/models/${encodeURIComponent(model)}:${call}`, headers: { "x-goog-api-key": key }, body };
    }
    const body = { model, stream, max_tokens: 100, messages: [{ role: "user", content: "Hello there" }] };
    return dialect === "openai"
      ? { path: "/v1/chat/completions", headers: { authorization: `Bearer ${key}` }, body }
      : { path: "/v1/messages", headers: { "x-api-key": key, "anthropic-version": "2023-06-01" }, body };
  }

  async function request(model: string, dialect: Pair[0], stream: boolean): Promise<Ended> {
    const { path, headers, body } = askingFor(model, dialect, stream);
    const response = await fetch(`${world.relayUrl}${path}`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        ...(second === "model" ? { "x-turnpike-fallbacks": getSecond(model) } : {}),
        ...headers,
      },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text,
      requestId: response.headers.get("x-request-id") ?? "",
    };
  }

  const cleanEnd = { openai: /data: \[DONE\]/, anthropic: /event: message_stop/, gemini: /"finishReason":"STOP"/ };
  const dialectError = {
    openai: /data: \{"error":\{/,
    anthropic: /event: error\ndata: \{"type":"error"/,
    gemini: /data: \{"error":\{"code":\d+,/,
  };
  const getAttempts = (row: LogRow): string[] =>
    (JSON.parse(row.other) as { admin_info: { use_channel: string[] } }).admin_info.use_channel;
  const getRows = async (requestId: string): Promise<LogRow[]> => {
    await testSite.readLogRow(requestId);
    return (await testSite.logs({ request_id: requestId, type: 2 })).items;
  };
  const getId = (name: string): string => channelIds.get(name) ?? "?";

  async function expectServed(ended: Ended, model: string, [dialect, type]: Pair, stream: boolean): Promise<void> {
    expect([model, ended.status]).toEqual([model, 200]);
    const isClean = stream ? cleanEnd[dialect].test(ended.text) : ended.text.endsWith("}");
    expect([isClean, ended.text.includes('"error"')]).toEqual([true, false]);
    const rows = await getRows(ended.requestId);
    expect(rows.map(({ quota }) => quota)).toEqual([GOOD_QUOTA]);
    const goodId = getId(`good-${type}`);
    expect(rows.map(getAttempts)).toEqual([second === "channel" ? [getId(model), goodId] : [goodId]]);
    expect(rows.map(({ model_name: name }) => name)).toEqual([getSecond(model)]);
    if (second === "channel") return;
    expect(JSON.parse(rows[0]?.other ?? "")).toMatchObject({ requested_model: model, attempts: 2 });
    expect(ended.headers.get("x-turnpike-model")).toBe(getSecond(model));
    expect(ended.headers.get("x-turnpike-attempts")).toBe("2");
    expect(ended.text).toContain(`"${getSecond(model)}"`);
  }

  const eachPair = (run: (pair: Pair) => Promise<void>): Promise<unknown> => Promise.all(PAIRS.map(run));

  describe.each([
    ["a streamed call", true],
    ["a non-streaming call", false],
  ] as const)("%s", (_, stream) => {
    const before = stream ? [...BEFORE, ...BEFORE_STREAMS] : [...BEFORE, ...BEFORE_WHOLE];

    it.each(before)("is served by the second one, and charged once, after %s of the first", async (fault) => {
      await eachPair(async (pair) => {
        const model = getName(fault, pair, stream);
        await expectServed(await request(model, pair[0], stream), model, pair, stream);
      });
    });

    it.each(["a request that is too long", "a prompt that is filtered"])(
      "is refused as upstream refused it, at no cost and without another channel except Anthropic's, or served by the second model, when it is %s",
      async (fault) => {
        await eachPair(async (pair) => {
          const model = getName(fault, pair, stream);
          const ended = await request(model, pair[0], stream);
          // Anthropic's refusals differ between accounts.
          if (pair[1] === 14 || second === "model") return expectServed(ended, model, pair, stream);
          expect(ended.status).toBe(400);
          expect(ended.headers.get("content-type")).toContain("application/json");
          expect(ended.text).toContain(fault.includes("long") ? TOO_LONG : FILTERED);
          expect(good.calls.filter((call) => call.model === getSecond(model))).toEqual([]);
          expect((await testSite.logs({ request_id: ended.requestId, type: 2 })).items).toEqual([]);
        });
      },
    );
  });

  describe("stream that fails after its first byte", () => {
    it.each(AFTER)(
      "ends with an error of the caller's dialect, never cleanly, and is charged for what was sent, after %s",
      async (fault) => {
        await eachPair(async (pair) => {
          const model = getName(fault, pair, true);
          const ended = await request(model, pair[0], true);
          expect([model, ended.status]).toEqual([model, 200]);
          expect(ended.text).toContain("w20 ");
          expect(ended.text).toMatch(dialectError[pair[0]]);
          expect(ended.text).not.toMatch(cleanEnd[pair[0]]);
          expect(good.calls.filter((call) => call.model === getSecond(model))).toEqual([]);
          const rows = await getRows(ended.requestId);
          expect(rows.map(getAttempts)).toEqual([[getId(model)]]);
          expect(rows[0]?.completion_tokens).toBeGreaterThan(20);
          expect(rows[0]?.quota).toBeGreaterThan(20);
        });
      },
    );
  });

  describe("unreliable upstream", () => {
    it("causes no failed call if it flaps", async () => {
      bad.next(
        { model: "flapping" },
        ...Array.from({ length: 20 }, (_, index) => (index % 2 ? { refuse: { status: 500 } } : GOOD)),
      );
      for (let index = 0; index < 20; index++)
        expect((await request("flapping", "openai", index % 3 === 0)).status).toBe(200);
    });

    it("causes no failed call if it fails within its first chunk, after valid frames", async () => {
      const chunk = (delta: object) =>
        `data: ${JSON.stringify({ id: "x", object: "chat.completion.chunk", model: "m", choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`;
      const body = `${chunk({ role: "assistant", content: "" })}${chunk({ content: "never seen" })}data: {"error":{"message":"overloaded","type":"server_error"}}\n\n`;
      const headers = { "content-type": "text/event-stream" };
      bad.always({ model: "hurried" }, { raw: { status: 200, headers, body } });
      for (const dialect of ["openai", "anthropic"] as const) {
        const ended = await request("hurried", dialect, true);
        expect(ended.text).not.toContain("never seen");
        await expectServed(ended, "hurried", [dialect, 1], true);
      }
    });

    it("causes no failed call if it starts a response, stalls and fails", async () => {
      bad.always({ model: "shedding-codex" }, { ...LONG, errorAfterFrames: 1, frameGapMs: 100 });
      for (const dialect of ["openai", "anthropic", "gemini"] as const)
        await expectServed(await request("shedding-codex", dialect, true), "shedding-codex", [dialect, 1], true);
    });

    it("is in cooldown for the time of its Retry-After", async () => {
      bad.next({ model: "resting" }, { refuse: { status: 429, headers: { "retry-after": "2" } } });
      const getCalls = () => bad.calls.filter(({ model }) => model === "resting").length;
      expect((await request("resting", "openai", true)).status).toBe(200);
      for (let index = 0; index < 5; index++) expect((await request("resting", "openai", true)).status).toBe(200);
      expect(getCalls()).toBe(1);
      await expect
        .poll(async () => ((await request("resting", "openai", true)).status === 200 ? getCalls() : 0), {
          timeout: 4_000,
        })
        .toBeGreaterThan(1);
    });

    it("receives no more calls after five failures, until the half-open probe", async () => {
      bad.always({ model: "failing" }, { refuse: { status: 500 } });
      const callsBefore = bad.calls.filter(({ model }) => model === "failing").length;
      for (let index = 0; index < 20; index++) expect((await request("failing", "openai", false)).status).toBe(200);
      expect(bad.calls.filter(({ model }) => model === "failing").length - callsBefore).toBeLessThanOrEqual(6);
    });

    it("receives no more calls after five failures of any of its many keys", async () => {
      const isServed = async () => (await request("manifold", "openai", false)).status === 200 || undefined;
      const getCalls = () => bad.calls.filter(({ model }) => model === "manifold").length;
      bad.always({ model: "manifold" }, { refuse: { status: 500 } });
      await makeChannel({ type: 1, name: "one", key: "good", base_url: good.url, models: getSecond("manifold") });
      await testSite.eventually("be served", 5_000, isServed);
      const keys = Array.from({ length: 12 }, (_, index) => `many-${index}`).join();
      await makeChannel({ type: 1, name: "many", key: keys, base_url: bad.url, models: "manifold", priority: 10 });
      await testSite.eventually("be requested", 5_000, async () => (await isServed()) && (getCalls() > 0 || undefined));
      for (let index = 0; index < 20; index++) expect((await request("manifold", "openai", false)).status).toBe(200);
      expect(getCalls()).toBe(5);
    });

    it("has its last refusal passed on with its Retry-After", async () => {
      good.next({ model: getSecond("resting") }, { refuse: { status: 429, headers: { "retry-after": "7" } } });
      bad.next({ model: "resting" }, { refuse: { status: 429, headers: { "retry-after": "9" } } });
      const ended = await request("resting", "openai", true);
      expect(ended.status).toBe(429);
      expect(["7", "9"]).toContain(ended.headers.get("retry-after"));
      expect((await testSite.logs({ request_id: ended.requestId, type: 2 })).items).toEqual([]);
    });
  });
}
