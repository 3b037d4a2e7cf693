import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { readParts, readStreamBytes, targetFor } from "../shared/fixtures.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { createEventCollector } from "../shared/event-list.ts";
import { iflytek } from "./iflytek.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 15, 30, 5);
const target = (given: Partial<Target> = {}): Target =>
  targetFor({ channelType: 18, key: "app1|secret1|key1", model: "SparkDesk-v3.5", ...given });

const REQUEST: ChatRequest = {
  model: "m",
  system: [{ type: "text", text: "Be brief." }],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: false,
  includeUsage: false,
};

describe("Spark version", () => {
  it.each([
    ["SparkDesk-v1.1", "", "wss://spark-api.xf-yun.com/v1.1/chat", "lite"],
    ["SparkDesk-v2.1", "", "wss://spark-api.xf-yun.com/v2.1/chat", "generalv2"],
    ["SparkDesk-v3.1", "v1.1", "wss://spark-api.xf-yun.com/v3.1/chat", "generalv3"],
    ["SparkDesk-v3.5", "", "wss://spark-api.xf-yun.com/v3.5/chat", "generalv3.5"],
    ["SparkDesk-v4.0", "", "wss://spark-api.xf-yun.com/v4.0/chat", "4.0Ultra"],
    ["SparkDesk-max-32k", "", "wss://spark-api.xf-yun.com/chat/max-32k", "max-32k"],
    ["SparkDesk", "v2.1", "wss://spark-api.xf-yun.com/v2.1/chat", "generalv2"],
    ["SparkDesk", "", "wss://spark-api.xf-yun.com/v1.1/chat", "lite"],
  ])("of %s on a channel with %j is served at %s", (model, other, url, domain) => {
    const built = iflytek.buildRequest(REQUEST, target({ model, other }));
    expect(built.url).toBe(url);
    expect(built.json["parameter"]).toEqual({ chat: { domain } });
  });

  it("is the caller's if it names an existing one", () => {
    const getUrl = (version: string): string =>
      iflytek.address(target({ clientHeaders: { "api-version": version } }), true).url;
    expect(getUrl("v4.0")).toBe("wss://spark-api.xf-yun.com/v4.0/chat");
    expect(getUrl("../x")).toBe("wss://spark-api.xf-yun.com/v3.5/chat");
  });

  it.each([
    ["http://127.0.0.1:9000", "ws://127.0.0.1:9000/v3.5/chat"],
    ["https://host", "wss://host/v3.5/chat"],
    ["wss://host", "wss://host/v3.5/chat"],
  ])("is requested at a channel's own URL: %s", (baseUrl, url) => {
    expect(iflytek.address(target({ baseUrl }), false).url).toBe(url);
  });
});

describe("Spark request", () => {
  it("carries the caller's fields, with numbers clamped to their range", () => {
    const requested = { ...REQUEST, temperature: 0, maxOutputTokens: 100_000, topK: 40, user: "u1" };
    const tools = [{ name: "f", description: "d", parameters: { type: "object" } }];
    expect(iflytek.buildRequest({ ...requested, tools }, target()).json).toEqual({
      header: { app_id: "app1", uid: "u1" },
      parameter: { chat: { domain: "generalv3.5", temperature: 0.01, max_tokens: 8192, top_k: 6 } },
      payload: {
        message: {
          text: [
            { role: "system", content: "Be brief." },
            { role: "user", content: "hi" },
          ],
        },
        functions: { text: [{ name: "f", description: "d", parameters: { type: "object" } }] },
      },
    });
  });

  it("sends the system message as a user turn to old versions", () => {
    expect(iflytek.buildRequest(REQUEST, target({ model: "SparkDesk-v1.1" })).json["payload"]).toEqual({
      message: {
        text: [
          { role: "user", content: "Be brief." },
          { role: "assistant", content: "OK" },
          { role: "user", content: "hi" },
        ],
      },
    });
  });

  it("is refused with images", () => {
    const parts = [{ type: "image", source: { kind: "url", url: "https://a/b.png" } }] as const;
    expect(() => iflytek.buildRequest({ ...REQUEST, messages: [{ role: "user", parts }] }, target())).toThrow(
      RelayError,
    );
  });
});

describe("Spark handshake", () => {
  it.each(["", "http://127.0.0.1:9000"])("is signed for the requested host: %j", (baseUrl) => {
    const place = iflytek.address(target({ baseUrl }), false);
    const signed = new URL(iflytek.auth?.sign?.({ ...place, method: "POST", body: "{}" }, target(), NOW_MS).url ?? "");
    const date = "Sat, 21 Nov 2026 15:30:05 GMT";
    expect(signed.searchParams.get("date")).toBe(date);
    expect(signed.searchParams.get("host")).toBe(signed.host);
    const text = `host: ${signed.host}\ndate: ${date}\nGET /v3.5/chat HTTP/1.1`;
    const signature = createHmac("sha256", "secret1").update(text).digest("base64");
    expect(Buffer.from(signed.searchParams.get("authorization") ?? "", "base64").toString()).toBe(
      `api_key="key1", algorithm="hmac-sha256", headers="host date request-line", signature="${signature}"`,
    );
  });
});

describe("Spark response", () => {
  it.each([
    ["text", [{ type: "text", text: "Hello! How can I help you today?" }], "stop"],
    [
      "reasoning",
      [
        { type: "reasoning", text: "Two and two make four." },
        { type: "text", text: "4" },
      ],
      "stop",
    ],
    ["tools", [{ type: "tool-call", name: "get_weather", argumentsText: '{"city":"Paris"}' }], "tool-calls"],
  ])("is assembled from its messages: %s", (name, parts, finishReason) => {
    const collector = createEventCollector(iflytek);
    expect(collector.isComplete(readStreamBytes("iflytek", name))).toBe(true);
    expect(collector.response()).toMatchObject({
      parts,
      finishReason,
      usage: { promptTokens: 15, completionTokens: 9 },
    });
  });

  it.each([
    [11202, 429],
    [11200, 401],
    [10163, 400],
    [10110, 503],
    [99999, 502],
  ])("fails for code %i with status %i", (code, status) => {
    const data = JSON.stringify({ header: { code, message: "no", status: 2 } });
    const read = (): unknown => iflytek.newStreamReader().read({ event: undefined, data });
    expect(read).toThrow(StreamFailure);
    expect(read).toThrow(expect.objectContaining({ status, message: "no" }));
  });

  it("fails if it breaks off, and is cut without its last message", () => {
    expect(() => readParts(iflytek.newStreamReader(), readStreamBytes("iflytek", "error"))).toThrow("OverConcurrency");
    const bytes = readStreamBytes("iflytek", "text");
    const reader = iflytek.newStreamReader();
    readParts(reader, bytes.subarray(0, bytes.lastIndexOf("data:")));
    expect(reader.isComplete()).toBe(false);
  });
});
