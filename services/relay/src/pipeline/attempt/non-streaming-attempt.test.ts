import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findProvider } from "../../providers/registry/providers.ts";
import type { EndpointFormat } from "../../core/wire/wire-format.ts";
import { createUpstreamClient } from "../../upstream/upstream-client.ts";
import { attemptNonStreaming } from "./non-streaming-attempt.ts";

const CHUNK = { id: "x", model: "m", choices: [{ index: 0, delta: { content: "hi" }, finish_reason: "stop" }] };
const USAGE = { choices: [], usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 } };
const DIFY = [
  { event: "agent_message", message_id: "m1", answer: "hel" },
  { event: "agent_message", message_id: "m1", answer: "lo" },
  { event: "message_end", message_id: "m1", metadata: { usage: { prompt_tokens: 3, completion_tokens: 2 } } },
];
const events = (list: readonly object[]): string => list.map((one) => `data: ${JSON.stringify(one)}\n\n`).join("");

const RESPONSE = new URL("../../providers/openai/__fixtures__/responses.chunks.txt", import.meta.url);

const sent: string[] = [];
async function result(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const body = await text(request);
  sent.push(body);
  const stream = (content: string) => response.writeHead(200, { "content-type": "text/event-stream" }).end(content);
  const [, mislabelled] = /^\/labelled\/(.*)$/.exec(request.url ?? "") ?? [];
  if (mislabelled !== undefined) {
    response.writeHead(200, mislabelled === "none" ? {} : { "content-type": mislabelled });
    // The first bytes alone do not decide what follows.
    response.write("eve");
    setTimeout(() => response.end(readFileSync(RESPONSE, "utf8").slice(3)), 20);
  } else if (request.url === "/openai") stream(`${events([CHUNK, USAGE])}data: [DONE]\n\n`);
  else if (request.url === "/responses") stream(readFileSync(RESPONSE, "utf8"));
  else if (request.url === "/cut") stream(events([CHUNK]));
  else if (body.includes('"streaming"')) stream(events(DIFY));
  else
    response.writeHead(400, { "content-type": "application/json" }).end(
      JSON.stringify({
        code: "invalid_param",
        message: "Agent Chat App does not support blocking mode",
        status: 400,
      }),
    );
}
const server = createServer((request, response) => void result(request, response));
const client = createUpstreamClient({ connectMs: 1_000 });

beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
});
afterAll(async () => {
  await client.close();
  server.close();
});

function attempt(type: number, path: string, body: string, endpoint?: EndpointFormat) {
  const chat = findProvider(type);
  const provider = endpoint ? chat?.endpoints?.[endpoint] : chat;
  if (!provider) throw new Error(`no provider of type ${type}`);
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;
  const request = { method: "POST", url, headers: {}, body, firstByteMs: 2_000, idleMs: 2_000 } as const;
  const prepared = { provider, passThrough: true, request };
  return attemptNonStreaming({ client, now: Date.now }, prepared, {}, { onCancel: () => undefined });
}

describe("non-streaming response", () => {
  it("is assembled from an upstream stream and not passed through", async () => {
    const { response, raw } = await attempt(1, "/openai", "{}");
    expect(response).toMatchObject({ parts: [{ type: "text", text: "hi" }], usage: { promptTokens: 3 } });
    expect(raw).toBeUndefined();
  });

  it("is assembled for the responses endpoint as well", async () => {
    const { response, raw } = await attempt(1, "/responses", "{}", "openai-responses");
    expect(response.parts).toContainEqual({ type: "text", text: "Sunny, I will look." });
    expect(response.finishReason).toBe("tool-calls");
    // The last event has the response as upstream would have sent it.
    expect(JSON.parse(String(raw))).toMatchObject({ object: "response", status: "completed" });
  });

  it.each(["text/plain", "application/json", "none"])("is assembled from events labelled %s", async (label) => {
    const { response, raw } = await attempt(1, `/labelled/${label}`, "{}", "openai-responses");
    expect(response.parts).toContainEqual({ type: "text", text: "Sunny, I will look." });
    expect(JSON.parse(String(raw))).toMatchObject({ object: "response", status: "completed" });
  });

  it("fails if upstream streams it and the stream is cut", async () => {
    await expect(attempt(1, "/cut", "{}")).rejects.toMatchObject({ status: 502 });
  });

  it("is requested again as a stream from a Dify agent, which only streams", async () => {
    sent.length = 0;
    const { response } = await attempt(37, "/dify", JSON.stringify({ query: "hi", response_mode: "blocking" }));
    expect(response).toMatchObject({ parts: [{ type: "text", text: "hello" }], usage: { completionTokens: 2 } });
    expect(sent.map((body) => JSON.parse(body) as unknown)).toEqual([
      { query: "hi", response_mode: "blocking" },
      { query: "hi", response_mode: "streaming" },
    ]);
  });
});
