import { generateKeyPairSync } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { CHANNEL_TYPES, TASK_CHANNEL_TYPES } from "@turnpike/contract/api/channels/channel-types";
import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { Channel } from "@turnpike/proto/channel/v1/channel_service";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { WebSocketServer } from "ws";
import { createAccessTokens } from "../../pipeline/prepare/access-tokens.ts";
import { readResponse, readStreamBytes } from "../../providers/shared/fixtures.ts";
import { createUpstreamClient } from "../../upstream/upstream-client.ts";
import { relayHandlers } from "./relay-handlers.ts";

/** A mock upstream of every format: returns the recorded response for the requested path. */
const RESPONSES: readonly (readonly [RegExp, () => unknown])[] = [
  [/\/oauth\/2\.0\/token|^\/token$/, () => ({ access_token: "t", expires_in: 3600 })],
  [/publishers\/anthropic|^\/v1\/messages$|^\/model\//, () => readResponse("anthropic", "text")],
  [/:generateContent$/, () => readResponse("gemini", "text")],
  [/:generateMessage$/, () => readResponse("palm", "text")],
  [
    /wenxinworkshop\/embeddings/,
    () => ({ data: [{ embedding: [0.1] }], usage: { prompt_tokens: 2, total_tokens: 2 } }),
  ],
  [/text-rerank$/, () => ({ output: { results: [{ index: 0, relevance_score: 0.9 }] }, usage: { total_tokens: 5 } })],
  [/wenxinworkshop/, () => readResponse("baidu", "text")],
  [/model-api/, () => readResponse("zhipu-v3", "text")],
  [/^\/api\/library\/ask$/, () => readResponse("ai-proxy", "text")],
  [/^\/v2\/chat$/, () => readResponse("cohere", "text")],
  [/^\/v1\/chat-messages$/, () => readResponse("dify", "text")],
  [/\/embeddings$/, () => ({ data: [{ embedding: [0.1] }], usage: { prompt_tokens: 2, total_tokens: 2 } })],
  [/\/rerank$/, () => ({ results: [{ index: 0, relevance_score: 0.9 }], usage: { total_tokens: 5 } })],
  [/^\/$/, () => readResponse("tencent", "text")],
  [/\/chat\/completions|\/text\/chatcompletion_v2$/, () => readResponse("openai", "text")],
  [/^\/foundation-models/, () => ({ modelSummaries: [{ modelId: "anthropic.claude" }] })],
  [/^\/v1\/models/, () => ({ data: [{ id: "a" }], models: [{ name: "a" }] })],
  [/^\/user\/balance/, () => ({ balance_infos: [{ currency: "CNY", total_balance: "12.5" }] })],
];

const seen: { path: string; headers: IncomingMessage["headers"] }[] = [];
let failWith: number | undefined;

function result(request: IncomingMessage, response: ServerResponse): void {
  const path = new URL(request.url ?? "", "http://host").pathname;
  seen.push({ path, headers: request.headers });
  const found = RESPONSES.find(([pattern]) => pattern.test(path));
  response.writeHead(failWith ?? (found ? 200 : 404), { "content-type": "application/json" });
  response.end(JSON.stringify(failWith === undefined ? (found?.[1]() ?? {}) : { error: { message: "no" } }));
}

const server = createServer((request, response) => {
  request.resume().on("end", () => result(request, response));
});
const sockets = new WebSocketServer({ server });
sockets.on("connection", (socket) => {
  socket.on("message", () => {
    const events = readStreamBytes("iflytek", "text").toString("utf8").split("\n\n");
    for (const event of events) if (event !== "") socket.send(event.replace("data: ", ""));
  });
});

const client = createUpstreamClient({ connectMs: 2_000 });
const now = (): number => Date.UTC(2026, 10, 21);
const options = () => optionsInForce([]);
const accessTokens = createAccessTokens({ client, options, now });
const handlers = relayHandlers({ client, accessTokens, options, now });
const context = {} as Parameters<typeof handlers.testChannel>[1];
let baseUrl = "";

const { privateKey } = generateKeyPairSync("rsa", {
  modulusLength: 2048,
  privateKeyEncoding: { type: "pkcs8", format: "pem" },
  publicKeyEncoding: { type: "spki", format: "pem" },
});
const KEYS: Readonly<Record<number, string>> = {
  15: "id|secret",
  16: "id.secret",
  18: "app|secret|key",
  23: "1|id|key",
  33: "access|secret|us-east-1",
  41: JSON.stringify({ project_id: "p", client_email: "e@x", private_key: privateKey }),
};
const MODELS: Readonly<Record<number, string>> = {
  33: "claude-3-haiku-20240307",
  38: "jina-reranker-m0",
  41: "gemini-2.5-flash",
  44: "m3e-base",
};
const getAddress = (type: number): string => (type === 8 ? `${baseUrl}/v1/chat/completions` : baseUrl);

const testType = (type: number, model = MODELS[type] ?? "m", modelMapping = "") =>
  handlers.testChannel(
    {
      channel: {
        channel: Channel.fromPartial({ id: 1, type, baseUrl: getAddress(type), modelMapping }),
        keys: [KEYS[type] ?? "sk-upstream"],
      },
      model,
    },
    context,
  );

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await client.close();
  for (const socket of sockets.clients) socket.terminate();
  server.close();
});

describe("channel test", () => {
  const responding = CHANNEL_TYPES.filter(({ id }) => !TASK_CHANNEL_TYPES.has(id));
  it.each(responding.map(({ id, name }) => [id, name] as const))("succeeds for type %i (%s)", async (type) => {
    failWith = undefined;
    expect(await testType(type)).toMatchObject({ success: true, message: "", status: 200 });
  });

  it("signs the requested URL", async () => {
    await testType(33);
    expect(seen.at(-1)?.headers).toMatchObject({ host: new URL(baseUrl).host });
    expect(seen.at(-1)?.headers.authorization).toContain("AWS4-HMAC-SHA256 Credential=access/");
  });

  it.each([
    [38, "jina-reranker-m0", "/v1/rerank"],
    [38, "jina-embeddings-v3", "/v1/embeddings"],
    [44, "m3e-base", "/embeddings"],
    [40, "BAAI/bge-reranker-v2-m3", "/v1/rerank"],
    [17, "gte-rerank-v2", "/api/v1/services/rerank/text-rerank/text-rerank"],
    [15, "Embedding-V1", "/rpc/2.0/ai_custom/v1/wenxinworkshop/embeddings/embedding-v1"],
    [1, "text-embedding-3-small", "/v1/embeddings"],
    [1, "gpt-4o", "/v1/chat/completions"],
  ])("requests, for type %i, the endpoint named by %s: %s", async (type, model, path) => {
    expect(await testType(type, model)).toMatchObject({ success: true });
    expect(seen.at(-1)?.path).toBe(path);
  });

  it("uses the caller-side model name if upstream reports none, and does not request chat where there is none", async () => {
    expect(await testType(1, "my-embedding", '{"my-embedding":"ada-002"}')).toMatchObject({ success: true });
    expect(seen.at(-1)?.path).toBe("/v1/embeddings");
    expect(await testType(38, "jina-clip-v2")).toMatchObject({ success: true });
    expect(seen.at(-1)?.path).toBe("/v1/embeddings");
    expect(await testType(44, "some-model")).toMatchObject({ success: true });
  });

  it("returns upstream's error text on failure", async () => {
    failWith = 429;
    expect(await testType(34)).toMatchObject({ success: false, status: 429, message: "no" });
    failWith = undefined;
  });
});

const account = (type: number) => ({
  type,
  baseUrl: getAddress(type),
  key: KEYS[type] ?? "sk-upstream",
  other: "",
  proxy: "",
});

describe("account query", () => {
  it.each([
    [1, ["a"]],
    [33, ["anthropic.claude"]],
    [34, ["a"]],
  ])("lists the models of type %i", async (type, models) => {
    expect(await handlers.fetchModels(account(type), context)).toEqual({ models });
  });

  it("returns the balance", async () => {
    expect(await handlers.fetchBalance(account(43), context)).toEqual({ balance: 12.5 });
  });

  it("fails if the provider returns no response or an unexpected one", async () => {
    await expect(handlers.fetchModels(account(18), context)).rejects.toMatchObject({ code: "fetch_models_failed" });
    await expect(handlers.fetchBalance(account(14), context)).rejects.toMatchObject({ code: "fetch_balance_failed" });
    await expect(handlers.fetchBalance(account(40), context)).rejects.toMatchObject({ code: "fetch_balance_failed" });
  });
});
