import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { BEDROCK_KEY } from "../../lib/fake-upstream/bedrock-format.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import type { Dialect, PriceRow } from "../../lib/price-rows/price-row.ts";
import { PRICE_ROWS } from "../../lib/price-rows/price-rows.ts";
import { getRowQuota } from "../../lib/row-quota.ts";
import { type LogRow, openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

const GROUPS = ["default", "vip", "team"];
const OPENAI_MODELS = [...new Set(PRICE_ROWS.map(({ model }) => model))].filter(
  (model) =>
    !/^(claude|gemini|imagen|deepseek|command|rerank|my-alias|gpt-4o$|@cf|gte|qwen|wan|speech|grok)/.test(model),
);

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
let user: Awaited<ReturnType<TestSite["createUser"]>>;
const keys: Record<string, string> = {};

async function addChannel(type: number, models: string, fields: Record<string, unknown> = {}): Promise<void> {
  const name = `priced-${type}-${models.slice(0, 12)}`;
  const place = { key: "up-key", base_url: upstream.url, group: GROUPS.join(",") };
  await testSite.root.post("/api/channel/", { ...place, type, name, models, ...fields });
}

async function setOptions(): Promise<void> {
  const merged = async (key: string, more: object): Promise<void> => {
    const options = await testSite.root.get<{ key: string; value: string }[]>("/api/option/");
    const before = JSON.parse(options.find((option) => option.key === key)?.value ?? "{}") as object;
    await testSite.root.put("/api/option/", { key, value: JSON.stringify({ ...before, ...more }) });
  };
  await merged("GroupRatio", { vip: 0.8, team: 2 });
  await merged("GroupGroupRatio", { default: { team: 0.5 } });
  await merged("UserUsableGroups", { vip: "vip", team: "team" });
  const sdxl = { "@cf/stabilityai/stable-diffusion-xl-base-1.0": 0.001 };
  await merged("ModelPrice", { "flat-model": 0.01, "rerank-flat": 0.001, ...sdxl });
  const ratios = {
    "gpt-4o-search-preview": 1.25,
    "my-audio": 2,
    "my-eyes": 2,
    "rerank-tokens": 0.5,
    "gte-rerank-v2": 0.5,
    "dall-e-2": 8,
  };
  await merged("ModelRatio", ratios);
  await merged("CompletionRatio", { "gpt-4.1": 4 });
  await merged("AudioRatio", { "my-audio": 5 });
  await merged("AudioCompletionRatio", { "my-audio": 0.75 });
  await merged("ImageRatio", { "my-eyes": 2 });
  const fallback = { fallback_input_ratio: "2", fallback_completion_ratio: "4", fallback_pricing_enabled: "true" };
  for (const [key, value] of Object.entries(fallback)) await testSite.root.put("/api/option/", { key, value });
}

beforeAll(async () => {
  upstream = await startFakeUpstream();
  // The scripted upstream returns audio by URLs on its own private address.
  world = await startWorld({
    backing: testBacking(),
    env: { PRIVATE_ADDRESS_ALLOWLIST: "127.0.0.1/32", GLOBAL_API_RATE_LIMIT_ENABLE: "false" },
  });
  testSite = await openTestSite(world, upstream.url);
  await setOptions();
  await addChannel(1, `gpt-4o,${OPENAI_MODELS.join(",")}`, { priority: 1 });
  await addChannel(1, "my-alias", { model_mapping: '{"my-alias":"gpt-4o-mini"}' });
  await addChannel(14, "claude-3-5-sonnet-20241022", { priority: 1 });
  await addChannel(
    24,
    "gemini-2.0-flash,gemini-2.5-flash,gemini-2.5-pro,gemini-3-flash-preview,imagen-3.0-generate-002",
    { priority: 1 },
  );
  await addChannel(33, "claude-3-5-haiku-20241022", { key: BEDROCK_KEY });
  await addChannel(34, "command-r-plus");
  await addChannel(43, "deepseek-chat", { priority: 1 });
  await addChannel(38, "rerank-flat,rerank-tokens");
  await addChannel(
    17,
    "gte-rerank-v2,wan2.2-t2i-flash,qwen-image,qwen-image-max,qwen-image-2.0,qwen-image-edit-plus,wan2.5-i2i-preview,qwen3-tts-flash",
  );
  await addChannel(35, "speech-2.8-hd");
  await addChannel(48, "grok-imagine-image");
  const cloudflare = PRICE_ROWS.map(({ model }) => model).filter((model) => model.startsWith("@cf"));
  await addChannel(39, [...new Set(cloudflare)].join(","), { other: "acc1" });
  await addChannel(1, "moving-model", { priority: 5, key: "up-broken", model_mapping: '{"moving-model":"gpt-4o"}' });
  await addChannel(43, "moving-model", { model_mapping: '{"moving-model":"deepseek-chat"}' });
  user = await testSite.createUser(1_000_000_000);
  for (const group of GROUPS) keys[group] = (await testSite.token({ group, unlimited_quota: true }, user.client)).key;
}, 120_000);
beforeEach(() => upstream.reset());
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

const HELLO = [{ role: "user", content: "hello world" }];

const BODIES: Readonly<Record<Exclude<Dialect, "edits" | "transcriptions" | "translations">, object>> = {
  chat: { messages: HELLO, stream_options: { include_usage: true } },
  messages: { messages: HELLO, max_tokens: 1000 },
  gemini: { contents: [{ role: "user", parts: [{ text: "hello world" }] }] },
  responses: { input: "hello world" },
  completions: { prompt: "hello world", stream_options: { include_usage: true } },
  embeddings: { input: "hello world", encoding_format: "float" },
  moderations: {},
  images: { prompt: "a cat" },
  speech: { voice: "alloy" },
  rerank: { query: "hello", documents: ["a", "b"] },
};

const PATHS: Readonly<Record<Exclude<Dialect, "gemini">, string>> = {
  chat: "/v1/chat/completions",
  messages: "/v1/messages",
  responses: "/v1/responses",
  completions: "/v1/completions",
  embeddings: "/v1/embeddings",
  moderations: "/v1/moderations",
  images: "/v1/images/generations",
  edits: "/v1/images/edits",
  speech: "/v1/audio/speech",
  transcriptions: "/v1/audio/transcriptions",
  translations: "/v1/audio/translations",
  rerank: "/v1/rerank",
};

function getPath({ dialect, model, stream }: PriceRow): string {
  if (dialect !== "gemini") return PATHS[dialect];
  return `/v1beta/models/${model}:${stream ? "streamGenerateContent?alt=sse" : "generateContent"}`;
}

/** Two seconds of silence: 8000 samples per second of one byte each. */
function recording(): Blob {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0).toString();
  head.writeUInt32LE(36 + 16_000, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(16_000, 40);
  return new Blob([head, Buffer.alloc(16_000, 128)]);
}

/** As the SDKs send it: a form with two images. */
function getEdit(model: string, body: object = {}): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries({ model, prompt: "a hat", ...body })) form.set(name, String(value));
  for (const name of ["a.png", "b.png"])
    form.append("image[]", new Blob([Buffer.from("89504e470d0a1a0a", "hex")]), name);
  return form;
}

function getBody({ dialect, model, stream, body }: PriceRow): string | FormData {
  if (dialect === "transcriptions" || dialect === "translations") {
    const form = new FormData();
    form.set("model", model);
    form.set("file", recording(), "two.wav");
    return form;
  }
  if (dialect === "edits") return getEdit(model, body);
  const { stream_options: options, ...rest } = BODIES[dialect] as { stream_options?: object };
  const streaming = stream ? { stream: true, ...(options ? { stream_options: options } : {}) } : {};
  return JSON.stringify(dialect === "gemini" ? { ...rest, ...body } : { ...rest, model, ...streaming, ...body });
}

async function send(row: PriceRow): Promise<LogRow> {
  const body = getBody(row);
  const response = await fetch(world.relayUrl + getPath(row), {
    method: "POST",
    headers: {
      authorization: `Bearer ${keys[row.group ?? "default"]}`,
      ...(typeof body === "string" ? { "content-type": "application/json" } : {}),
    },
    body,
  });
  const text = await response.text();
  expect({ status: response.status, text }).toEqual({ status: 200, text });
  return testSite.readLogRow(response.headers.get("x-request-id") ?? "");
}

let spent = 0;

describe("price table", () => {
  it.each(PRICE_ROWS.map((row) => [`${row.of} (${row.dialect}, ${row.model})`, row] as const))(
    "charges %s exactly, and the log row explains the cost",
    async (_, row) => {
      upstream.always({}, row.scenario ?? {});
      const logged = await send(row);
      expect(upstream.calls.at(-1)?.body ?? {}).toMatchObject(row.requested ?? {});
      const { other } = logged;
      expect({ quota: logged.quota, other }).toEqual({ quota: row.quota, other });
      expect({ quota: getRowQuota(logged), other }).toEqual({ quota: row.quota, other });
      spent += row.quota;
    },
  );

  it("charges the model that served the call after a failover", async () => {
    upstream.always({ key: "up-broken" }, { refuse: { status: 500 } });
    upstream.always({ key: "up-key" }, { text: "Fine.", usage: { inputTokens: 1000, outputTokens: 500 } });
    const logged = await send({ of: "", dialect: "chat", model: "moving-model", quota: 0 });
    expect(logged.quota).toBe(245);
    expect(JSON.parse(logged.other)).toMatchObject({ price_model: "deepseek-chat", price_rule: "upstream_model" });
    expect(getRowQuota(logged)).toBe(245);
    spent += 245;
  });

  it("adds up: the account has spent the sum of the rows", async () => {
    await testSite.eventually("the sum", 5_000, async () => {
      const { used_quota: used } = await user.client.get<{ used_quota: number }>("/api/user/self");
      return used === spent ? true : undefined;
    });
  });
});
