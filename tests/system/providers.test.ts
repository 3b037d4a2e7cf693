import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PROVIDER_ROWS, type ProviderRow } from "../lib/provider-rows.ts";
import { startRecordedProvider } from "../lib/recorded-provider.ts";
import { openShop } from "../lib/shop.ts";
import { testBacking } from "../lib/backing/test-backing.ts";
import { startWorld, type World } from "../lib/world.ts";

type Server = Awaited<ReturnType<typeof startRecordedProvider>>;

const ROWS = PROVIDER_ROWS.map((row) => ({ ...row, asked: `t${row.type}-${row.model.replace("/", "-")}` }));
const servers: Record<string, Server> = {};
let world: World;
let key: string;

async function connect(row: (typeof ROWS)[number], add: (fields: object) => Promise<unknown>): Promise<void> {
  const server = await startRecordedProvider(row);
  servers[row.asked] = server;
  const url = row.scheme === undefined ? server.url : server.url.replace("http", row.scheme);
  await add({
    type: row.type,
    name: row.asked,
    key: row.key ?? "up-key",
    base_url: url + (row.base ?? ""),
    models: row.asked,
    model_mapping: JSON.stringify({ [row.asked]: row.model }),
    other: row.other ?? "",
    group: "default",
  });
}

beforeAll(async () => {
  world = await startWorld({ backing: testBacking(), env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });
  const shop = await openShop(world, "http://127.0.0.1:9");
  await shop.root.put("/api/option/", { key: "SelfUseModeEnabled", value: "true" });
  for (const row of ROWS) await connect(row, (fields) => shop.root.post("/api/channel/", fields));
  ({ key } = await shop.token({ unlimited_quota: true }));
}, 120_000);
afterAll(async () => {
  await world?.stop();
  await Promise.all(Object.values(servers).map((server) => server.stop()));
});

const ask = { max_tokens: 500, messages: [{ role: "user", content: "hi" }] };

/** How each dialect sends requests, and where its responses contain the text and the end. */
const SPEAKERS = {
  chat: {
    path: () => "/v1/chat/completions",
    body: (model: string, stream: boolean) => ({ ...ask, model, stream }),
    text: /"content":\s*"(.*?)(?<!\\)"/g,
    end: /data: \[DONE\]\n\n$/,
    finish: /"finish_reason":\s*"stop"/,
  },
  messages: {
    path: () => "/v1/messages",
    body: (model: string, stream: boolean) => ({ ...ask, model, stream }),
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
  Object.keys(SPEAKERS).flatMap((speaker) =>
    [false, true].map((stream) => ({ row, speaker: speaker as keyof typeof SPEAKERS, stream })),
  ),
);

async function call(row: ProviderRow & { asked: string }, speaker: keyof typeof SPEAKERS, stream: boolean, query = "") {
  const { path, body } = SPEAKERS[speaker];
  const answer = await fetch(world.relayUrl + path(row.asked, stream) + query, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "x-goog-api-key": key, "content-type": "application/json" },
    body: JSON.stringify(body(row.asked, stream)),
  });
  return { status: answer.status, text: await answer.text() };
}

describe("every channel type", () => {
  it.each(CALLS)("$row.type ($row.model) serves $speaker, streaming: $stream", async ({ row, speaker, stream }) => {
    const { status, text } = await call(row, speaker, stream);
    expect({ problems: servers[row.asked]?.problems, status, text }).toEqual({ problems: [], status: 200, text });
    const said = [...text.matchAll(SPEAKERS[speaker].text)].map(([, words]) => words).join("");
    expect(said).toMatch(/Hello(!|, 世界 👋)/);
    expect(text).toMatch(SPEAKERS[speaker].finish);
    expect(text).toMatch(stream ? SPEAKERS[speaker].end : /\}\s*$/);
  });
});

describe("API version", () => {
  it("is the one in the caller's address", async () => {
    const azure = ROWS.find(({ type }) => type === 3);
    if (!azure) throw new Error("there is no row for Azure");
    const { status } = await call(azure, "chat", false, "?api-version=2099-01-01");
    const problems = servers[azure.asked]?.problems.splice(0);
    expect({ status, problems }).toEqual({
      status: 418,
      problems: [expect.stringContaining("?api-version=2099-01-01")],
    });
  });
});
