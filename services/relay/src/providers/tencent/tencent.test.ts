import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../core/chat/chat.ts";
import { readResponse, readParts, readStreamBytes, targetFor } from "../shared/fixtures.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { toResponse } from "../shared/event-list.ts";
import { tencent } from "./tencent.ts";

const NOW_MS = Date.UTC(2026, 10, 21, 15, 30, 5);
const target = (given: Partial<Target> = {}): Target =>
  targetFor({ channelType: 23, key: "1250000000|AKIDz8krb|Gu5t9xGARN", model: "hunyuan-pro", ...given });

const REQUEST: ChatRequest = {
  model: "m",
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: true,
  includeUsage: false,
};

describe("Hunyuan request", () => {
  it("follows the message order: a user first and last, an assistant turn between tools and user", () => {
    const user = (text: string) => ({ role: "user", parts: [{ type: "text", text }] }) as const;
    const call = { type: "tool-call", id: "c1", name: "f", argumentsText: "{}" } as const;
    const result = { type: "tool-result", id: "c1", parts: [{ type: "text", text: "r" }] } as const;
    const getRoles = (messages: ChatRequest["messages"]): unknown => {
      const { json } = tencent.buildRequest({ ...REQUEST, seed: 123_456_789, messages }, target());
      expect(json["Seed"]).toBe(10_000);
      return (json["Messages"] as { Role: string }[]).map(({ Role }) => Role);
    };
    const calling = { role: "assistant", parts: [call] } as const;
    const roles = getRoles([calling, { role: "user", parts: [result] }, user("go on")]);
    expect(roles).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    const prefill = { role: "assistant", parts: [{ type: "text", text: "Well" }] } as const;
    expect(getRoles([user("hi"), prefill])).toEqual(["user", "assistant", "user"]);
  });

  it("carries the caller's fields under Tencent's names", () => {
    const { url, headers, json } = tencent.buildRequest(
      {
        ...REQUEST,
        temperature: 3,
        topP: 0.9,
        stop: ["END"],
        maxOutputTokens: 9,
        tools: [{ name: "f", description: "d", parameters: { type: "object" } }],
        toolChoice: { type: "tool", name: "f" },
        messages: [
          {
            role: "user",
            parts: [
              { type: "text", text: "what" },
              { type: "image", source: { kind: "url", url: "https://a/b.png" } },
            ],
          },
          { role: "assistant", parts: [{ type: "tool-call", id: "c1", name: "f", argumentsText: '{"a":1}' }] },
          { role: "user", parts: [{ type: "tool-result", id: "c1", parts: [{ type: "text", text: "r" }] }] },
        ],
      },
      target(),
    );
    const tool = { Type: "function", Function: { Name: "f", Description: "d", Parameters: '{"type":"object"}' } };
    expect(url).toBe("https://hunyuan.tencentcloudapi.com/");
    expect(headers).toMatchObject({ "x-tc-action": "ChatCompletions", "x-tc-version": "2023-09-01" });
    expect(json).toEqual({
      Model: "hunyuan-pro",
      Stream: true,
      Temperature: 2,
      TopP: 0.9,
      Stop: ["END"],
      Tools: [tool],
      ToolChoice: "custom",
      CustomTool: tool,
      Messages: [
        {
          Role: "user",
          Contents: [
            { Type: "text", Text: "what" },
            { Type: "image_url", ImageUrl: { Url: "https://a/b.png" } },
          ],
        },
        {
          Role: "assistant",
          Content: "",
          ToolCalls: [{ Id: "c1", Type: "function", Function: { Name: "f", Arguments: '{"a":1}' } }],
        },
        { Role: "tool", Content: "r", ToolCallId: "c1" },
      ],
    });
  });

  it.each(["", "http://127.0.0.1:9000"])("is signed for the requested host: %j", (baseUrl) => {
    const { url, headers, json } = tencent.buildRequest(REQUEST, target({ baseUrl }));
    const body = JSON.stringify(json);
    const signed = tencent.auth?.sign?.({ url, headers, method: "POST", body }, target(), NOW_MS);
    const { host } = new URL(url);
    const sha = (text: string): string => createHash("sha256").update(text).digest("hex");
    const canonical = [
      "POST",
      "/",
      "",
      "content-type:application/json",
      `host:${host}`,
      "x-tc-action:chatcompletions",
      "",
      "content-type;host;x-tc-action",
      sha(body),
    ].join("\n");
    const text = `TC3-HMAC-SHA256\n${NOW_MS / 1000}\n2026-11-21/hunyuan/tc3_request\n${sha(canonical)}`;
    const sign = (key: string | Buffer, part: string): Buffer => createHmac("sha256", key).update(part).digest();
    const key = sign(sign(sign("TC3Gu5t9xGARN", "2026-11-21"), "hunyuan"), "tc3_request");
    expect(signed?.headers).toMatchObject({
      host,
      "x-tc-timestamp": String(NOW_MS / 1000),
      authorization: `TC3-HMAC-SHA256 Credential=AKIDz8krb/2026-11-21/hunyuan/tc3_request, SignedHeaders=content-type;host;x-tc-action, Signature=${sign(key, text).toString("hex")}`,
    });
  });
});

describe("Hunyuan response", () => {
  it.each(["text", "tools", "reasoning"])("is equivalent in non-streaming and streaming form: %s", (name) => {
    const complete = tencent.parseResponse(readResponse("tencent", name));
    const reader = tencent.newStreamReader();
    const pieces = toResponse(readParts(reader, readStreamBytes("tencent", name), 17));
    expect(reader.isComplete()).toBe(true);
    expect({ ...pieces, createdAtSeconds: complete.createdAtSeconds }).toEqual(complete);
    expect(complete).toMatchSnapshot("whole");
  });

  it.each([
    ["RequestLimitExceeded.UinLimitExceeded", 429],
    ["AuthFailure.SignatureFailure", 401],
    ["InvalidParameterValue.Model", 400],
    ["InternalError", 500],
    ["Mystery", 502],
  ])("with status 200 and the error %s fails as %i", (code, status) => {
    const body = { Response: { Error: { Code: code, Message: "no" }, RequestId: "r" } };
    const read = (): unknown => tencent.parseResponse(body);
    expect(read).toThrow(StreamFailure);
    expect(read).toThrow(
      expect.objectContaining({ status, upstream: expect.objectContaining({ code, message: "no" }) }),
    );
  });

  it("fails if it breaks off in the middle", () => {
    const read = (): unknown => readParts(tencent.newStreamReader(), readStreamBytes("tencent", "error"));
    expect(read).toThrow("the engine is overloaded");
    expect(tencent.parseError(400, readResponse("tencent", "error"))).toMatchObject({
      code: "AuthFailure.SignatureFailure",
    });
  });
});
