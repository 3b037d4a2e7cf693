import { connect, createServer, type Server } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Scenario } from "../../lib/fake-upstream/scenario.ts";
import { createLeavingClients, type Sent } from "../../lib/leaving-clients.ts";
import { ledgerCheck } from "../../lib/ledger-check.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false", SEND_TIMEOUT_SECONDS: "3" } });

const CREDIT = 100_000_000;
const PROMPT = "Read these words. ".repeat(50);
const GPT = { model: "gpt-4o", messages: [{ role: "user", content: PROMPT }] };
const CLAUDE = { model: "claude-3-5-sonnet-20241022", max_tokens: 100, messages: [{ role: "user", content: PROMPT }] };

const CHAT: Sent = { path: "/v1/chat/completions", body: GPT };
const CHAT_STREAM: Sent = { path: "/v1/chat/completions", body: { ...GPT, stream: true } };

const { caller, sendAndLeave, isReceived, firstBytes } = createLeavingClients(at, CREDIT);

const HEAVY = { usage: { inputTokens: 100_000, outputTokens: 5 } } as const;

describe("a client that disconnects after upstream received the request", () => {
  const cases: readonly {
    when: string;
    sent: Sent;
    scenario: Scenario;
    until?: typeof firstBytes;
    reported?: number;
  }[] = [
    { when: "before the head of a stream", sent: CHAT_STREAM, scenario: { delayMs: 3_000 } },
    { when: "after the head of a stream", sent: CHAT_STREAM, scenario: { firstFrameDelayMs: 3_000 } },
    {
      when: "after message_start",
      sent: { path: "/v1/messages", body: { ...CLAUDE, stream: true } },
      scenario: { ...HEAVY, stallAfterFrames: 1 },
      until: firstBytes,
      reported: 100_000,
    },
    { when: "before a non-streaming response", sent: CHAT, scenario: { delayMs: 3_000 } },
    { when: "before the end of a non-streaming response", sent: CHAT, scenario: { ...HEAVY, stallAfterBytes: 40 } },
    {
      when: "of another format before the end of a non-streaming response",
      sent: { path: "/v1/messages", body: { ...GPT, max_tokens: 50 } },
      scenario: { stallAfterBytes: 40 },
    },
    {
      when: "during embeddings",
      sent: { path: "/v1/embeddings", body: { model: "gpt-4o", input: PROMPT } },
      scenario: { delayMs: 3_000 },
    },
  ];
  it.each(cases)("pays at least the prompt ($when)", async ({ sent, scenario, until, reported }) => {
    const { key, spent, row } = await caller();
    at.upstream.calls.splice(0);
    at.upstream.next({}, scenario);
    await sendAndLeave(key, sent, until ?? isReceived);
    // 150 to 250 words of one token each at 1.25 units, or what upstream reported.
    const least = reported === undefined ? 150 * 1.25 : reported;
    await expect.poll(spent, { timeout: 5_000 }).toBeGreaterThanOrEqual(least);
    expect(await spent()).toBeLessThan(reported === undefined ? 250 * 1.25 + 10 : reported * 2);
    expect((await row())?.completion_tokens).toBeLessThanOrEqual(5);
  });
});

describe("a client that disconnects from an upstream of another format", () => {
  const GEMINI = "gemini-2.0-flash";
  const contents = [{ role: "user", parts: [{ text: PROMPT }] }];
  const each: readonly [string, Sent, Scenario][] = [true, false].flatMap((stream) => {
    const scenario: Scenario = stream ? { firstFrameDelayMs: 3_000 } : { stallAfterBytes: 40 };
    const name = (dialect: string): string => `${dialect}, stream ${stream}`;
    return [
      [name("chat"), { path: CHAT.path, body: { ...GPT, model: GEMINI, stream } }, scenario],
      [name("responses"), { path: "/v1/responses", body: { model: CLAUDE.model, input: PROMPT, stream } }, scenario],
      [name("messages"), { path: "/v1/messages", body: { ...CLAUDE, model: GEMINI, stream } }, scenario],
      [
        name("gemini"),
        { path: `/v1beta/models/gpt-4o:${stream ? "streamGenerateContent" : "generateContent"}`, body: { contents } },
        scenario,
      ],
    ];
  });

  it.each(each)("pays at least the prompt (%s)", async (_, sent, scenario) => {
    const { key, row } = await caller();
    at.upstream.calls.splice(0);
    at.upstream.next({}, scenario);
    await sendAndLeave(key, sent, isReceived);
    const charged = await at.testSite.eventually("the log row", 10_000, row);
    expect(charged.prompt_tokens).toBeGreaterThanOrEqual(150);
    expect(charged.quota).toBeGreaterThanOrEqual(150 * 0.05);
  });
});

describe("a client that disconnects from an endpoint without chat", () => {
  const PRICED = { "dall-e-3": 0.04, "tts-1": 0.01, "rerank-1": 0.02 };
  beforeAll(async () => {
    await at.testSite.root.put("/api/option/", { key: "ModelPrice", value: JSON.stringify(PRICED) });
    const models = Object.keys(PRICED).join(",");
    const channel = { type: 1, name: "media", key: "k", base_url: at.upstream.url, models, group: "default" };
    await at.testSite.root.post("/api/channel/", channel);
    await wait(1_100);
  });

  it.each([
    ["/v1/images/generations", { model: "dall-e-3", prompt: "A tree" }, 0.04],
    ["/v1/audio/speech", { model: "tts-1", input: "Hello.", voice: "alloy" }, 0.01],
    ["/v1/rerank", { model: "rerank-1", query: "Hello.", documents: ["a", "b"] }, 0.02],
  ])("pays the price of the call (%s)", async (path, body, dollars) => {
    const { key, spent } = await caller();
    at.upstream.calls.splice(0);
    at.upstream.next({}, { delayMs: 3_000 });
    await sendAndLeave(key, { path, body }, isReceived);
    await expect.poll(spent, { timeout: 10_000 }).toBe(dollars * 500_000);
  });
});

describe("a client that disconnects", () => {
  let silent: Server;
  beforeAll(async () => {
    // Accepts connections and never completes a TLS handshake.
    silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    const { port } = silent.address() as AddressInfo;
    await at.testSite.root.post("/api/channel/", {
      type: 1,
      name: "silent",
      key: "up-silent",
      base_url: `https://127.0.0.1:${port}`,
      models: "gpt-4-turbo",
      group: "default",
    });
    await wait(1_100);
  });
  afterAll(() => silent.close());

  it.each([false, true])("pays nothing for a call that upstream never received (stream: %s)", async (stream) => {
    const { key, spent } = await caller();
    await sendAndLeave(key, { path: CHAT.path, body: { ...GPT, model: "gpt-4-turbo", stream } }, () => wait(500));
    await wait(1_500);
    expect(await spent()).toBe(0);
  });

  it.each([false, true])("pays nothing for a call that upstream refused (stream: %s)", async (stream) => {
    const { key, spent } = await caller();
    at.upstream.calls.splice(0);
    at.upstream.next({}, { refuse: { status: 500 } });
    const refused = fetch(at.world.relayUrl + CHAT.path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ ...GPT, stream }),
    });
    expect((await refused).status).toBe(500);
    await (await refused).body?.cancel();
    await wait(1_500);
    expect(await spent()).toBe(0);
  });
});

describe("a stream that is cut after Claude began to compact the conversation", () => {
  const SUMMARY = "They read these words. ".repeat(20);
  /** Up to the text after the compaction; upstream would report its usage at the end. */
  const toEvents = (promptTokens: number): string =>
    [
      { type: "message_start", message: { id: "m", content: [], usage: { input_tokens: promptTokens } } },
      { type: "content_block_start", index: 0, content_block: { type: "compaction", content: null } },
      { type: "content_block_delta", index: 0, delta: { type: "compaction_delta", content: SUMMARY } },
      { type: "content_block_stop", index: 0 },
      { type: "content_block_start", index: 1, content_block: { type: "text", text: "" } },
      { type: "content_block_delta", index: 1, delta: { type: "text_delta", text: "Fine." } },
    ]
      .map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`)
      .join("");

  // What upstream reports first may be the prompt after the compaction, or the one before it.
  it.each([
    ["/v1/messages", 30],
    ["/v1/messages", 220],
    ["/v1/chat/completions", 30],
    ["/v1/responses", 30],
  ])("is charged for the conversation that was read, once, and for the summary (%s, %i)", async (path, prompt) => {
    const { key, row } = await caller();
    const head = { "content-type": "text/event-stream" };
    at.upstream.next({}, { raw: { status: 200, headers: head, body: toEvents(prompt) } });
    const { model, messages } = CLAUDE;
    const body = path === "/v1/responses" ? { input: PROMPT } : { messages, max_tokens: 100 };
    const edits = [{ type: "compact_20260112", trigger: { type: "input_tokens", value: 50_000 } }];
    const managed = path === "/v1/messages" ? { context_management: { edits } } : {};
    const response = await fetch(at.world.relayUrl + path, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify({ model, ...body, ...managed, stream: true }),
    });
    await response.text();
    const charged = await at.testSite.eventually("the log row", 15_000, row);
    expect(charged.prompt_tokens).toBeGreaterThanOrEqual(150);
    expect(charged.prompt_tokens).toBeLessThan(300);
    expect(charged.completion_tokens).toBeGreaterThan(60);
    expect(charged.quota).toBeGreaterThan(1.5 * (150 + 5 * 60));
  });
});

describe("a client that does not read", () => {
  it("is disconnected after the send timeout, pays, and holds nothing any longer", async () => {
    const { key, spent, row } = await caller();
    // More than the buffers of all connections on the way take.
    at.upstream.next({}, { pieces: 150_000 });
    const { hostname, port } = new URL(at.world.relayUrl);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined).pause();
    const body = JSON.stringify(CHAT_STREAM.body);
    socket.write(
      `POST ${CHAT_STREAM.path} HTTP/1.1\r\nhost: relay\r\nauthorization: Bearer ${key}\r\n` +
        `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
    );
    await expect.poll(async () => (await row())?.other, { timeout: 20_000 }).toContain("stream_interrupted");
    expect(await spent()).toBeGreaterThan(1_000);
    socket.destroy();
  });
});

describe("final ledger state", () => {
  it("has matching ledger and credits, rollups and spending for every account", () =>
    ledgerCheck(at.world, { timeoutMs: 30_000 }));
});
