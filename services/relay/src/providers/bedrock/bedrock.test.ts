import { createHash, createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ChatRequest } from "../../core/chat/chat.ts";
import { DEFAULT_SETTINGS, readResponse, readParts, readStreamBytes, targetFor } from "../shared/fixtures.ts";
import type { UnsignedRequest } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { createAwsSplitter } from "./aws-event-stream.ts";
import { bedrock } from "./bedrock.ts";
import { bedrockId } from "./bedrock-models.ts";
import { signBedrock } from "./bedrock-sign.ts";

const KEY = "AKIDEXAMPLE|wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY|us-west-2";
const NOW_MS = Date.UTC(2026, 10, 21, 15, 30, 5);
const target = (given: Partial<Target> = {}): Target =>
  targetFor({ channelType: 33, key: KEY, model: "claude-sonnet-4-5-20250929", ...given });

const REQUEST: ChatRequest = {
  model: "m",
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: true,
  includeUsage: false,
  maxOutputTokens: 9,
};

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");
const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** An independent implementation of AWS signature version 4 from its documentation. */
function expectedSignature(request: UnsignedRequest, headers: Readonly<Record<string, string>>): string {
  const names = /SignedHeaders=([^,]+)/.exec(headers["authorization"] ?? "")?.[1] ?? "";
  const url = new URL(request.url);
  const path = url.pathname.split("/").map(encodeURIComponent).join("/");
  const canonical = [
    request.method,
    path,
    url.search.slice(1),
    ...names.split(";").map((name) => `${name}:${headers[name]}`),
    "",
    names,
    sha256(request.body),
  ].join("\n");
  const scope = "20261121/us-west-2/bedrock/aws4_request";
  const toSign = `AWS4-HMAC-SHA256\n20261121T153005Z\n${scope}\n${sha256(canonical)}`;
  const secret = "AWS4wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY";
  const key = ["20261121", "us-west-2", "bedrock", "aws4_request"].reduce<string | Buffer>(hmac, secret);
  return hmac(key, toSign).toString("hex");
}

describe("Bedrock model id", () => {
  it.each([
    ["claude-3-haiku-20240307", "us-east-1", "us.anthropic.claude-3-haiku-20240307-v1:0"],
    ["claude-3-haiku-20240307", "eu-west-1", "eu.anthropic.claude-3-haiku-20240307-v1:0"],
    ["claude-3-haiku-20240307", "ap-southeast-2", "apac.anthropic.claude-3-haiku-20240307-v1:0"],
    ["claude-3-opus-20240229", "eu-west-1", "anthropic.claude-3-opus-20240229-v1:0"],
    ["claude-3-5-sonnet-20241022", "us-east-1", "us.anthropic.claude-3-5-sonnet-20241022-v2:0"],
    ["claude-opus-4-1-20250805", "us-east-1", "us.anthropic.claude-opus-4-1-20250805-v1:0"],
    ["claude-sonnet-4-5-20250929", "eu-west-1", "eu.anthropic.claude-sonnet-4-5-20250929-v1:0"],
    ["claude-sonnet-4-5-20250929", "ap-northeast-1", "global.anthropic.claude-sonnet-4-5-20250929-v1:0"],
    ["claude-opus-4-6", "us-east-1", "us.anthropic.claude-opus-4-6-v1"],
    ["claude-sonnet-4-6", "us-east-1", "us.anthropic.claude-sonnet-4-6"],
    ["claude-3-haiku-20240307", "us-gov-west-1", "us-gov.anthropic.claude-3-haiku-20240307-v1:0"],
    ["claude-3-haiku-20240307", "sa-east-1", "anthropic.claude-3-haiku-20240307-v1:0"],
    ["anthropic.claude-3-haiku-20240307-v1:0", "us-east-1", "anthropic.claude-3-haiku-20240307-v1:0"],
    ["arn:aws:bedrock:us-east-1:1:inference-profile/x", "us-east-1", "arn:aws:bedrock:us-east-1:1:inference-profile/x"],
  ])("maps %s in %s to %s", (model, region, id) => {
    expect(bedrockId(model, region)).toBe(id);
  });
});

describe("Bedrock request", () => {
  it("has the model in the URL and Anthropic's body without it", () => {
    const { url, headers, json } = bedrock.buildRequest(REQUEST, target());
    expect(url).toBe(
      "https://bedrock-runtime.us-west-2.amazonaws.com/model/us.anthropic.claude-sonnet-4-5-20250929-v1%3A0/invoke-with-response-stream",
    );
    expect(headers).toMatchObject({ accept: "application/vnd.amazon.eventstream" });
    expect(json).toEqual({
      anthropic_version: "bedrock-2023-05-31",
      max_tokens: 9,
      messages: [{ role: "user", content: [{ type: "text", text: "hi" }] }],
    });
    expect(bedrock.address(target({ baseUrl: "http://host" }), false).url).toMatch(
      /^http:\/\/host\/model\/.*\/invoke$/,
    );
  });

  it("keeps unknown fields of Anthropic callers and sends their betas in the body", () => {
    const body = { model: "m", stream: true, max_tokens: 9, messages: [], context_management: { edits: [] } };
    const given = target({ clientHeaders: { "anthropic-beta": "a, b" } });
    expect(bedrock.adaptBody?.(body, given)).toEqual({
      anthropic_version: "bedrock-2023-05-31",
      anthropic_beta: ["a", "b"],
      max_tokens: 9,
      messages: [],
      context_management: { edits: [] },
    });
  });

  it("drops betas that Bedrock does not have, except those the operator set", () => {
    const sent = "claude-code-20250219,interleaved-thinking-2025-05-14,advanced-tool-use-2025-11-20,oauth-2025-04-20";
    const model = "claude-opus-4-6";
    const settings = { ...DEFAULT_SETTINGS, claudeModelHeaders: { [model]: { "Anthropic-Beta": ["new-2026-01-01"] } } };
    const body = bedrock.adaptBody?.({}, target({ model, settings, clientHeaders: { "anthropic-beta": sent } }));
    const known = ["interleaved-thinking-2025-05-14", "tool-search-tool-2025-10-19", "new-2026-01-01"];
    expect(body?.["anthropic_beta"]).toEqual(known);
  });

  it("drops fields that Bedrock refuses inside blocks and tools", () => {
    const cached = { type: "ephemeral", ttl: "1h" };
    const text = { type: "text", text: "a", cache_control: { ...cached, scope: "global" } };
    const kept = { ...text, cache_control: cached };
    const result = (content: object) => ({ type: "tool_result", tool_use_id: "t", content: [content] });
    const tool = { name: "f", input_schema: { type: "object" } };
    const body = {
      system: [text],
      messages: [{ role: "user", content: [result(text), { type: "text", text: "b" }] }],
      tools: [{ ...tool, eager_input_streaming: true }],
    };
    expect(bedrock.adaptBody?.(body, target())).toEqual({
      anthropic_version: "bedrock-2023-05-31",
      system: [kept],
      messages: [{ role: "user", content: [result(kept), { type: "text", text: "b" }] }],
      tools: [tool],
    });
  });

  it("calls the model without the suffix for a -thinking name", () => {
    const given = target({ model: "claude-3-7-sonnet-20250219-thinking", settings: DEFAULT_SETTINGS });
    expect(bedrock.address(given, false).url).toContain("us.anthropic.claude-3-7-sonnet-20250219-v1%3A0/invoke");
    expect(bedrock.buildRequest({ ...REQUEST, maxOutputTokens: 2000 }, given).json).toHaveProperty("thinking");
  });

  it.each(["", "http://127.0.0.1:9000"])("is signed for the requested host: %j", (baseUrl) => {
    const { url, headers, json } = bedrock.buildRequest(REQUEST, target({ baseUrl }));
    const request = { url, headers, method: "POST" as const, body: JSON.stringify(json) };
    const signed = signBedrock(request, target(), NOW_MS);
    expect(signed.url).toBe(url);
    expect(signed.headers).toMatchObject({ host: new URL(url).host, "x-amz-date": "20261121T153005Z" });
    const { authorization } = signed.headers;
    expect(authorization).toContain("Credential=AKIDEXAMPLE/20261121/us-west-2/bedrock/aws4_request");
    expect(authorization).toContain(`Signature=${expectedSignature(request, signed.headers)}`);
  });

  it("sends Bedrock's own keys as bearer tokens", () => {
    const request = { url: "https://host/x", headers: {}, method: "GET" as const, body: "" };
    const given = target({ key: "bedrock-api-key-abc|eu-west-1" });
    expect(signBedrock(request, given, NOW_MS).headers).toEqual({ authorization: "Bearer bedrock-api-key-abc" });
    expect(bedrock.address(given, false).url).toContain("bedrock-runtime.eu-west-1.amazonaws.com");
  });

  it("is signed for the model list too", () => {
    const place = bedrock.account?.modelList?.(target()) ?? { url: "", headers: {} };
    expect(place.url).toBe("https://bedrock.us-west-2.amazonaws.com/foundation-models?byProvider=anthropic");
    const request = { ...place, method: "GET" as const, body: "" };
    const { headers } = signBedrock(request, target(), NOW_MS);
    expect(headers["authorization"]).toContain(`Signature=${expectedSignature(request, headers)}`);
    expect(bedrock.account?.parseModelList?.({ modelSummaries: [{ modelId: "anthropic.a" }] })).toEqual([
      "anthropic.a",
    ]);
  });
});

const splitter = () =>
  bedrock.streaming?.newFrameSplitter?.() ?? createAwsSplitter(() => ({ raw: Buffer.alloc(0), event: undefined }));

describe("Bedrock binary stream", () => {
  it.each(["text", "tools", "reasoning"])("is equivalent to Anthropic's at any chunk boundary: %s", (name) => {
    const anthropic = readParts(bedrock.newStreamReader(), readStreamBytes("anthropic", name));
    for (const pieceBytes of [1, 7, 100_000]) {
      const bytes = readStreamBytes("bedrock", name);
      expect(readParts(bedrock.newStreamReader(), bytes, pieceBytes, splitter())).toEqual(anthropic);
    }
  });

  it("is converted to Anthropic's own frames for callers of its format", () => {
    const frames = [...splitter().push(readStreamBytes("bedrock", "text"))];
    expect(frames.map(({ raw }) => raw.toString())).toSatisfy((texts: string[]) =>
      texts.every((text) => /^event: \w+\ndata: \{.*\}\n\n$/.test(text)),
    );
    expect(frames.at(0)?.raw.toString()).toMatch(/^event: message_start\n/);
  });

  it("fails by the exception's class if it ends with one", () => {
    const read = (): unknown =>
      readParts(bedrock.newStreamReader(), readStreamBytes("bedrock", "error"), 50, splitter());
    expect(read).toThrow(StreamFailure);
    expect(read).toThrow(
      expect.objectContaining({ status: 429, message: expect.stringContaining("Too many requests") }),
    );
  });

  it("fails if it is damaged", () => {
    const bytes = Buffer.from(readStreamBytes("bedrock", "text"));
    bytes.writeUInt8(bytes.readUInt8(90) ^ 1, 90);
    expect(() => splitter().push(bytes)).toThrow("damaged");
    expect(() => splitter().push(Buffer.from("data: {}\n\ndata: {}\n\n"))).toThrow("not an AWS event stream");
  });
});

describe("Bedrock error", () => {
  it.each([
    ["ThrottlingException:http://internal.amazon.com/coral/", "ThrottlingException"],
    ["AccessDeniedException", "AccessDeniedException"],
  ])("keeps its class: %s", (header, type) => {
    const failure = bedrock.parseError(429, readResponse("bedrock", "error"), { "x-amzn-errortype": header });
    expect(failure).toMatchObject({ type, code: type, message: expect.stringContaining("Too many requests") });
    expect(bedrock.parseError(503, "<html>", { "x-amzn-errortype": header })).toMatchObject({ type });
  });
});
