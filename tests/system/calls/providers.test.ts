import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROVIDER_ROWS, type ProviderRow } from "../../lib/provider-rows.ts";
import { startRecordedProvider } from "../../lib/upstreams/recorded-provider.ts";
import { openTestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

type Server = Awaited<ReturnType<typeof startRecordedProvider>>;

const ROWS = PROVIDER_ROWS.map((row) => ({ ...row, requested: `t${row.type}-${row.model.replace("/", "-")}` }));
const servers: Record<string, Server> = {};
let world: World;
let key: string;

async function connect(row: (typeof ROWS)[number], add: (fields: object) => Promise<unknown>): Promise<void> {
  const server = await startRecordedProvider(row);
  servers[row.requested] = server;
  const url = row.scheme === undefined ? server.url : server.url.replace("http", row.scheme);
  await add({
    type: row.type,
    name: row.requested,
    key: row.key ?? "up-key",
    base_url: url + (row.base ?? ""),
    models: row.requested,
    model_mapping: JSON.stringify({ [row.requested]: row.model }),
    other: row.other ?? "",
    group: "default",
  });
}

beforeAll(async () => {
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  const testSite = await openTestSite(world, "http://127.0.0.1:9");
  await testSite.root.put("/api/option/", { key: "SelfUseModeEnabled", value: "true" });
  for (const row of ROWS) await connect(row, (fields) => testSite.root.post("/api/channel/", fields));
  ({ key } = await testSite.token({ unlimited_quota: true }));
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await Promise.all(Object.values(servers).map((server) => server.stop()));
});

const request = { max_tokens: 500, messages: [{ role: "user", content: "hi" }] };

/** How each dialect sends requests, and where its responses contain the text and the end. */
const DIALECTS = {
  chat: {
    path: () => "/v1/chat/completions",
    body: (model: string, stream: boolean) => ({ ...request, model, stream }),
    text: /"content":\s*"(.*?)(?<!\\)"/g,
    end: /data: \[DONE\]\n\n$/,
    finish: /"finish_reason":\s*"stop"/,
  },
  messages: {
    path: () => "/v1/messages",
    body: (model: string, stream: boolean) => ({ ...request, model, stream }),
    text: /"text":\s*"(.*?)(?<!\\)"/g,
    end: /event: message_stop\ndata: \{[^\n]*\}\n\n$/,
    finish: /"stop_reason":\s*"end_turn"/,
  },
  gemini: {
    path: (model: string, stream: boolean) =>
      `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`,
    body: () => ({ contents: [{ role: "user", parts: [{ text: "hi" }] }] }),
    text: /"text":\s*"(.*?)(?<!\\)"/g,
    end: /(\r?\n){2}$/,
    finish: /"finishReason":\s*"STOP"/,
  },
} as const;

const CALLS = ROWS.flatMap((row) =>
  Object.keys(DIALECTS).flatMap((dialect) =>
    [false, true].map((stream) => ({ row, dialect: dialect as keyof typeof DIALECTS, stream })),
  ),
);

async function call(
  row: ProviderRow & { requested: string },
  dialect: keyof typeof DIALECTS,
  stream: boolean,
  query = "",
) {
  const { path, body } = DIALECTS[dialect];
  const response = await fetch(world.relayUrl + path(row.requested, stream) + query, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-goog-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body(row.requested, stream)),
  });
  return { status: response.status, text: await response.text() };
}

describe("every channel type", () => {
  it.each(CALLS)("$row.type ($row.model) serves $dialect, streaming: $stream", async ({ row, dialect, stream }) => {
    const { status, text } = await call(row, dialect, stream);
    expect({ problems: servers[row.requested]?.problems, status, text }).toEqual({ problems: [], status: 200, text });
    const reported = [...text.matchAll(DIALECTS[dialect].text)].map(([, words]) => words).join("");
    expect(reported).toMatch(/Hello(!|, 世界 👋)/);
    expect(text).toMatch(DIALECTS[dialect].finish);
    expect(text).toMatch(stream ? DIALECTS[dialect].end : /\}\s*$/);
  });
});

describe("API version of a call", () => {
  it("is the one in the caller's path", async () => {
    const azure = ROWS.find(({ type }) => type === 3);
    if (!azure) throw new Error("there is no row for Azure");
    const { status } = await call(azure, "chat", false, "?api-version=2099-01-01");
    const problems = servers[azure.requested]?.problems.splice(0);
    expect({ status, problems }).toEqual({
      status: 418,
      problems: [expect.stringContaining("?api-version=2099-01-01")],
    });
  });
});
