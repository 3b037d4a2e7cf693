import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ChatMessage, ChatRequest, ContentPart, Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { targetFor } from "../shared/fixtures.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { provider } from "./fixtures.ts";

const target = (type: number, given: Partial<Target> = {}): Target =>
  targetFor({ channelType: type, model: "m", ...given });
const text = (words: string): ContentPart => ({ type: "text", text: words });
const user = (...parts: ContentPart[]): ChatMessage => ({ role: "user", parts });
const assistant = (...parts: ContentPart[]): ChatMessage => ({ role: "assistant", parts });
const IMAGE: ContentPart = { type: "image", source: { kind: "url", url: "https://a/b.png" } };
const INLINE: ContentPart = { type: "image", source: { kind: "base64", mediaType: "image/png", data: "AAAA" } };
const request = (fields: Partial<ChatRequest> = {}): ChatRequest => ({
  model: "m",
  system: [text("Be brief.")],
  messages: [user(text("hi"))],
  stream: false,
  includeUsage: false,
  ...fields,
});

describe("requests", () => {
  it.each<[string, number, Partial<ChatRequest>, Partial<Target>, string, Json]>([
    [
      "Baidu v1, figures within their bounds",
      15,
      { temperature: 0, maxOutputTokens: 9000, stop: ["END"], user: "u", stream: true },
      { model: "ERNIE-4.0-8K", accessToken: "24.abc" },
      "https://aip.baidubce.com/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/completions_pro?access_token=24.abc",
      {
        system: "Be brief.",
        messages: [{ role: "user", content: "hi" }],
        temperature: 0.01,
        max_output_tokens: 2048,
        stop: ["END"],
        user_id: "u",
        stream: true,
      },
    ],
    [
      "Baidu v1, an odd number of turns",
      15,
      { system: [], messages: [assistant(text("a")), user(text("b")), assistant(text("c"))] },
      { model: "ERNIE-Speed-128K", baseUrl: "http://host" },
      "http://host/rpc/2.0/ai_custom/v1/wenxinworkshop/chat/ernie-speed-128k?access_token=",
      {
        messages: [
          { role: "user", content: "..." },
          { role: "assistant", content: "a" },
          { role: "user", content: "b" },
          { role: "assistant", content: "c" },
          { role: "user", content: "..." },
        ],
      },
    ],
    [
      "Zhipu v3, the system message as a turn with a reply",
      16,
      { topP: 1, temperature: 2, stream: true },
      { model: "chatglm_turbo" },
      "https://open.bigmodel.cn/api/paas/v3/model-api/chatglm_turbo/sse-invoke",
      {
        prompt: [
          { role: "user", content: "Be brief." },
          { role: "assistant", content: "Okay" },
          { role: "user", content: "hi" },
        ],
        temperature: 1,
        top_p: 0.99,
        incremental: true,
      },
    ],
    [
      "PaLM, no field that it does not know",
      11,
      { maxOutputTokens: 9, stream: true, stop: ["END"], temperature: 1.5 },
      { model: "PaLM-2" },
      "https://generativelanguage.googleapis.com/v1beta2/models/chat-bison-001:generateMessage",
      { prompt: { context: "Be brief.", messages: [{ author: "0", content: "hi" }] }, temperature: 1 },
    ],
    [
      "AI Proxy, the last question",
      21,
      { messages: [user(text("a")), assistant(text("b")), user(text("c"))] },
      { other: "lib-1" },
      "https://api.aiproxy.io/api/library/ask",
      { model: "m", query: "Be brief.\n\nc", libraryId: "lib-1", stream: false },
    ],
    [
      "Dify with a labelled conversation",
      37,
      { messages: [user(text("a")), assistant(text("b")), user(text("c"), IMAGE)], stream: true, user: "u1" },
      { baseUrl: "http://dify/v1" },
      "http://dify/v1/chat-messages",
      {
        inputs: {},
        query: "SYSTEM: \nBe brief.\nUSER: \na\nASSISTANT: \nb\nUSER: \nc",
        response_mode: "streaming",
        user: "u1",
        auto_generate_name: false,
        files: [{ type: "image", transfer_method: "remote_url", url: "https://a/b.png" }],
      },
    ],
    [
      "Dify, a lone question as it is",
      37,
      { system: [] },
      {},
      "https://api.dify.ai/v1/chat-messages",
      { inputs: {}, query: "hi", response_mode: "blocking", user: "turnpike", auto_generate_name: false },
    ],
  ])("matches the documented body of %s", (_, type, ...[fields, given, url, json]) => {
    const built = provider(type).buildRequest(request(fields), target(type, given));
    expect(built.url).toBe(url);
    expect(built.json).toEqual(json);
  });

  it("uploads images sent with the call to Dify, and refers to them", () => {
    const { requests, buildRequest } = provider(37);
    const uploads = requests?.uploads;
    const requested = request({ system: [], messages: [user(text("hi"), INLINE, IMAGE)], user: "u1" });
    const [upload, ...others] = uploads?.of(requested, target(37, { baseUrl: "http://dify/v1", key: "app-1" })) ?? [];
    expect(others).toEqual([]);
    expect(upload?.url).toBe("http://dify/v1/files/upload");
    expect(upload?.headers["authorization"]).toBe("Bearer app-1");
    expect(upload?.headers["content-type"]).toMatch(/^multipart\/form-data; boundary=/);
    const form = upload?.body.toString("latin1");
    expect(form).toContain('name="user"\r\n\r\nu1\r\n');
    expect(form).toContain('name="file"; filename="image.png"\r\ncontent-type: image/png\r\n\r\n\0\0\0\r\n');
    expect(uploads?.read({ id: "f-1", name: "image.png" })).toBe("f-1");
    expect(() => uploads?.read({ name: "image.png" })).toThrow(StreamFailure);
    expect(buildRequest(requested, target(37, { uploaded: ["f-1"] })).json["files"]).toEqual([
      { type: "image", transfer_method: "local_file", upload_file_id: "f-1" },
      { type: "image", transfer_method: "remote_url", url: "https://a/b.png" },
    ]);
  });

  it("serializes parallel calls for Baidu v1", () => {
    const call = (id: string): ContentPart => ({ type: "tool-call", id, name: "f", argumentsText: `{"id":"${id}"}` });
    const result = (id: string): ContentPart => ({ type: "tool-result", id, parts: [text(`r ${id}`)] });
    const messages = [user(text("q")), assistant(call("1"), call("2")), user(result("1"), result("2"), text("go on"))];
    const tools = [{ name: "f", parameters: {} }];
    const { json } = provider(15).buildRequest(request({ system: [], messages, tools }), target(15));
    expect(json["functions"]).toEqual([
      { name: "f", description: "f", parameters: { type: "object", properties: {} } },
    ]);
    expect(json["messages"]).toEqual([
      { role: "user", content: "q" },
      { role: "assistant", content: "", function_call: { name: "f", arguments: '{"id":"1"}' } },
      { role: "function", name: "f", content: '{"result":"r 1"}' },
      { role: "assistant", content: "", function_call: { name: "f", arguments: '{"id":"2"}' } },
      { role: "function", name: "f", content: '{"result":"r 2"}' },
      { role: "assistant", content: "..." },
      { role: "user", content: "go on" },
    ]);
  });

  it.each([
    [11, IMAGE],
    [15, IMAGE],
    [16, IMAGE],
    [21, IMAGE],
    [37, INLINE],
  ])("is refused for type %i with an image that it does not support", (type, image) => {
    const requested = request({ messages: [user(text("what"), image)] });
    expect(() => provider(type).buildRequest(requested, target(type))).toThrow(RelayError);
  });
});

describe("credentials", () => {
  it("exchanges the key of Baidu v1 for a token", () => {
    const exchange = provider(15).auth?.tokenExchange?.(target(15, { key: "id|se cret" }), 0);
    expect(exchange?.url).toBe(
      "https://aip.baidubce.com/oauth/2.0/token?grant_type=client_credentials&client_id=id&client_secret=se+cret",
    );
    expect(exchange?.read({ access_token: "24.x", expires_in: 2592000 })).toEqual({
      token: "24.x",
      lifetimeSeconds: 2592000,
    });
    const refused = { error: "invalid_client", error_description: "unknown client id" };
    expect(() => exchange?.read(refused)).toThrow(
      expect.objectContaining({ status: 401, message: "unknown client id" }),
    );
    expect(provider(15).parseError(401, refused)).toMatchObject({
      message: "unknown client id",
      code: "invalid_client",
    });
  });

  it("signs a one-day token for Zhipu v3, sent without Bearer and used until an hour before its end", () => {
    const nowMs = Date.UTC(2026, 10, 21);
    const sign = (atMs: number): string => {
      const unsigned = { url: "u", headers: {}, method: "POST" as const, body: "{}" };
      return (
        provider(16).auth?.sign?.(unsigned, target(16, { key: "id1.secret1" }), atMs).headers["authorization"] ?? ""
      );
    };
    const token = sign(nowMs);
    const [header = "", claims = "", signature] = token.split(".");
    const decode = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString("utf8"));
    expect(decode(header)).toEqual({ alg: "HS256", sign_type: "SIGN" });
    expect(decode(claims)).toEqual({ api_key: "id1", exp: nowMs + 86_400_000, timestamp: nowMs });
    expect(signature).toBe(createHmac("sha256", "secret1").update(`${header}.${claims}`).digest("base64url"));
    expect(sign(nowMs + 3_600_000)).toBe(token);
    expect(sign(nowMs + 83_000_000)).not.toBe(token);
  });
});
