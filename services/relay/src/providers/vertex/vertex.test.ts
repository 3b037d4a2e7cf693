import { createVerify, generateKeyPairSync } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { ChatRequest, Json } from "../../core/chat/chat.ts";
import { RelayError } from "../../core/errors/relay-error.ts";
import { targetFor } from "../shared/fixtures.ts";
import type { Provider } from "../contract/provider.ts";
import type { Target } from "../contract/target.ts";
import { StreamFailure } from "../../core/wire/stream.ts";
import { vertex } from "./vertex.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const ACCOUNT = {
  type: "service_account",
  project_id: "acme-1",
  private_key_id: "kid-1",
  private_key: privateKey,
  client_email: "relay@acme-1.iam.gserviceaccount.com",
  token_uri: "https://oauth2.googleapis.com/token",
};
const NOW_MS = Date.UTC(2026, 10, 21);

const target = (given: Partial<Target> = {}): Target =>
  targetFor({ channelType: 41, key: JSON.stringify(ACCOUNT), accessToken: "ya29.token", ...given });

const REQUEST: ChatRequest = {
  model: "m",
  system: [],
  messages: [{ role: "user", parts: [{ type: "text", text: "hi" }] }],
  stream: false,
  includeUsage: false,
  maxOutputTokens: 9,
};

const findProvider = (model: string): Provider => vertex.forModel?.(model) ?? vertex;

describe("Vertex model", () => {
  it.each([
    ["gemini-2.5-flash", "gemini"],
    ["claude-sonnet-4-5-20250929", "anthropic-messages"],
    ["meta/llama-3.3-70b-instruct-maas", "openai-chat"],
  ])("is served for %s in the format %s", (model, wireFormat) => {
    expect(findProvider(model).wireFormat).toBe(wireFormat);
  });

  it("refuses a model of another vendor", () => {
    expect(() => findProvider("gpt-4o")).toThrow(RelayError);
  });
});

const PROJECT = "projects/acme-1/locations";

describe("Vertex URL", () => {
  it.each<[string, Partial<Target>, boolean, string]>([
    [
      "gemini-2.5-flash",
      {},
      false,
      `https://us-central1-aiplatform.googleapis.com/v1/${PROJECT}/us-central1/publishers/google/models/gemini-2.5-flash:generateContent`,
    ],
    [
      "gemini-2.5-flash",
      { other: "global" },
      true,
      `https://aiplatform.googleapis.com/v1/${PROJECT}/global/publishers/google/models/gemini-2.5-flash:streamGenerateContent?alt=sse`,
    ],
    [
      "claude-sonnet-4-5-20250929",
      { other: '{"default":"us-central1","claude-sonnet-4-5-20250929":"europe-west1"}' },
      false,
      `https://europe-west1-aiplatform.googleapis.com/v1/${PROJECT}/europe-west1/publishers/anthropic/models/claude-sonnet-4-5@20250929:rawPredict`,
    ],
    [
      "claude-3-5-sonnet-20241022",
      { other: '{"default":"us-east5"}' },
      true,
      `https://us-east5-aiplatform.googleapis.com/v1/${PROJECT}/us-east5/publishers/anthropic/models/claude-3-5-sonnet-v2@20241022:streamRawPredict?alt=sse`,
    ],
    [
      "claude-opus-4-6",
      { baseUrl: "http://host" },
      false,
      `http://host/v1/${PROJECT}/us-central1/publishers/anthropic/models/claude-opus-4-6:rawPredict`,
    ],
    [
      "meta/llama-3.3-70b-instruct-maas",
      {},
      true,
      `https://us-central1-aiplatform.googleapis.com/v1beta1/${PROJECT}/us-central1/endpoints/openapi/chat/completions`,
    ],
  ])("of %s with %j, streaming %j, is %s", (model, given, stream, url) => {
    const place = findProvider(model).address(target({ model, ...given }), stream);
    expect(place.url).toBe(url);
    expect(place.headers).toMatchObject({ authorization: "Bearer ya29.token" });
  });
});

describe("bodies", () => {
  it("contains the version of the format and no model for Claude", () => {
    const model = "claude-sonnet-4-5-20250929";
    const { json } = findProvider(model).buildRequest({ ...REQUEST, stream: true }, target({ model }));
    expect(json).toMatchObject({ anthropic_version: "vertex-2023-10-16", stream: true, max_tokens: 9 });
    expect(json).not.toHaveProperty("model");
  });

  it("keeps unknown fields of Anthropic callers, and the betas stay a header", () => {
    const model = "claude-sonnet-4-5-20250929";
    const given = target({ model, clientHeaders: { "anthropic-beta": "a" } });
    const body = { model, max_tokens: 9, messages: [], mystery: 1 };
    const adapted = { anthropic_version: "vertex-2023-10-16", max_tokens: 9, messages: [], mystery: 1 };
    expect(findProvider(model).adaptBody?.(body, given)).toEqual(adapted);
    expect(findProvider(model).address(given, false).headers).toMatchObject({ "anthropic-beta": "a" });
  });
});

describe("feature that only Google's and Anthropic's own APIs accept", () => {
  const CLAUDE = "claude-sonnet-4-5-20250929";
  const GEMINI = "gemini-2.5-flash";

  it("is removed from the betas, except the operator's own", () => {
    const sent = "claude-code-20250219,interleaved-thinking-2025-05-14,advanced-tool-use-2025-11-20";
    const given = target({
      model: CLAUDE,
      clientHeaders: { "anthropic-beta": `${sent},prompt-caching-scope-2026-01-05` },
      settings: { ...target().settings, claudeModelHeaders: { [CLAUDE]: { "anthropic-beta": ["mine-2026-01-01"] } } },
    });
    expect(findProvider(CLAUDE).address(given, false).headers["anthropic-beta"]).toBe(
      "interleaved-thinking-2025-05-14,tool-search-tool-2025-10-19,mine-2026-01-01",
    );
  });

  it("is removed from Claude's blocks and tools", () => {
    const cached = { type: "text", text: "a", cache_control: { type: "ephemeral", scope: "global" } };
    const body = { model: CLAUDE, system: [cached], tools: [{ name: "t", eager_input_streaming: true }] };
    expect(findProvider(CLAUDE).adaptBody?.(body, target({ model: CLAUDE }))).toMatchObject({
      system: [{ type: "text", text: "a", cache_control: { type: "ephemeral" } }],
      tools: [{ name: "t" }],
    });
  });

  it.each([
    ["claude-sonnet-4-6", "output_config"],
    [CLAUDE, "tool_choice"],
  ])("sends a schema for %s as %s", (model, field) => {
    const responseFormat = { type: "json-schema", name: "s", schema: { type: "object", properties: {} } } as const;
    const { json } = findProvider(model).buildRequest({ ...REQUEST, responseFormat }, target({ model }));
    expect(["output_config", "tool_choice"].filter((name) => name in json)).toEqual([field]);
  });

  it("removes ids of calls, and adds roles to turns", () => {
    const call = { functionCall: { id: "c1", name: "f", args: {} } };
    const result = { function_response: { id: "c1", name: "f", response: {} } };
    const contents = [{ parts: [{ text: "hi" }] }, { role: "model", parts: [call] }, { role: "user", parts: [result] }];
    expect(findProvider(GEMINI).adaptBody?.({ contents }, target({ model: GEMINI }))).toEqual({
      contents: [
        { role: "user", parts: [{ text: "hi" }] },
        { role: "model", parts: [{ functionCall: { name: "f", args: {} } }] },
        { role: "user", parts: [{ function_response: { name: "f", response: {} } }] },
      ],
    });
    const plain = { contents: [{ role: "user", parts: [{ text: "hi" }] }] };
    expect(findProvider(GEMINI).adaptBody?.(plain, target({ model: GEMINI }))).toBe(plain);
  });
});

const decode = (part: string | undefined): Json =>
  JSON.parse(Buffer.from(part ?? "", "base64url").toString("utf8")) as Json;

describe("Vertex service account", () => {
  it("is exchanged for a token by a signed claim", () => {
    const exchange = vertex.auth?.tokenExchange?.(target(), NOW_MS);
    expect(exchange?.url).toBe(ACCOUNT.token_uri);
    const form = new URLSearchParams(exchange?.body);
    expect(form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
    const [header, claims, signature = ""] = (form.get("assertion") ?? "").split(".");
    expect(decode(header)).toEqual({ alg: "RS256", typ: "JWT", kid: "kid-1" });
    expect(decode(claims)).toEqual({
      iss: ACCOUNT.client_email,
      scope: "https://www.googleapis.com/auth/cloud-platform",
      aud: ACCOUNT.token_uri,
      iat: NOW_MS / 1000,
      exp: NOW_MS / 1000 + 3600,
    });
    const verifier = createVerify("RSA-SHA256").update(`${header}.${claims}`);
    expect(verifier.verify(publicKey, signature, "base64url")).toBe(true);
    expect(exchange?.read({ access_token: "t", expires_in: 3599 })).toEqual({ token: "t", lifetimeSeconds: 3599 });
    expect(() => exchange?.read({})).toThrow(StreamFailure);
  });

  it.each([
    [ACCOUNT.token_uri, "http://proxy:8080/google", "http://proxy:8080/token"],
    ["http://127.0.0.1:9001/own/token", "http://proxy:8080", "http://127.0.0.1:9001/own/token"],
  ])("with token URL %s and base URL %s requests its token at %s", (tokenUri, baseUrl, url) => {
    const key = JSON.stringify({ ...ACCOUNT, token_uri: tokenUri });
    expect(vertex.auth?.tokenExchange?.(target({ key, baseUrl }), NOW_MS).url).toBe(url);
  });

  it.each(["not json", "{}", JSON.stringify({ ...ACCOUNT, private_key: "nonsense" })])(
    "counts as a refused key if it is invalid: %#",
    (key) => {
      expect(() => vertex.auth?.tokenExchange?.(target({ key }), NOW_MS)).toThrow(
        expect.objectContaining({ status: 401 }),
      );
    },
  );
});

describe("Vertex errors and lists", () => {
  it("parses errors and lists in Google's and in Anthropic's format", () => {
    const google = { error: { code: 429, message: "Quota exceeded", status: "RESOURCE_EXHAUSTED" } };
    expect(vertex.parseError(429, google)).toMatchObject({ message: "Quota exceeded", type: "RESOURCE_EXHAUSTED" });
    const anthropic = { type: "error", error: { type: "overloaded_error", message: "Overloaded" } };
    expect(vertex.parseError(529, anthropic)).toMatchObject({ message: "Overloaded", type: "overloaded_error" });
    expect(
      vertex.account?.parseModelList?.({ publisherModels: [{ name: "publishers/google/models/gemini-x" }] }),
    ).toEqual(["gemini-x"]);
  });
});
