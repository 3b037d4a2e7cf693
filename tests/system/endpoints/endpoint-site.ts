import { afterAll, beforeAll, beforeEach } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { openaiClient } from "../../lib/clients.ts";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import { type LogRow, openTestSite, type TestSite } from "../../lib/test-site.ts";
import { startWorld, type World } from "../../lib/world.ts";

const MODELS = [
  "text-embedding-3-small",
  "gpt-3.5-turbo-instruct",
  "text-moderation-stable",
  "gpt-image-1",
  "dall-e-2",
  "dall-e-3",
  "tts-1",
  "whisper-1",
  "gpt-4o",
  "gpt-4.1",
];

/** Usage that the scripted upstream reports. */
export const USAGE = { inputTokens: 1000, cachedTokens: 0, outputTokens: 200, reasoningTokens: 0 };

type Servers = { world: World; upstream: FakeUpstream; testSite: TestSite };

async function startServers(): Promise<Servers> {
  const upstream = await startFakeUpstream();
  // The scripted upstream returns audio by URLs on its own private address.
  const world = await startWorld({
    backing: testBacking(),
    env: { PRIVATE_ADDRESS_ALLOWLIST: "127.0.0.1/32", GLOBAL_API_RATE_LIMIT_ENABLE: "false" },
  });
  const testSite = await openTestSite(world, upstream.url);
  const channel = { key: "up-key", base_url: upstream.url, group: "default" };
  await testSite.root.post("/api/channel/", { ...channel, type: 1, name: "endpoints", models: MODELS.join(",") });
  const second = { ...channel, key: "up-second", models: "text-embedding-3-small" };
  await testSite.root.post("/api/channel/", { ...second, type: 1, name: "second" });
  const mapping = JSON.stringify({ "rerank-alias": "jina-reranker", hearing: "FunAudioLLM/SenseVoiceSmall" });
  await testSite.root.post("/api/channel/", {
    ...channel,
    type: 40,
    name: "reranking",
    models: "rerank-alias,hearing",
    model_mapping: mapping,
  });
  await testSite.root.post("/api/channel/", { ...channel, type: 24, name: "google", models: "gemini-embedding-001" });
  await testSite.root.post("/api/channel/", { ...channel, type: 35, name: "minimax", models: "speech-2.8-hd" });
  await testSite.root.post("/api/channel/", {
    ...channel,
    type: 17,
    name: "ali",
    models: "qwen3-tts-flash,cosyvoice-v3-flash",
  });
  await testSite.root.put("/api/option/", {
    key: "ModelPrice",
    value: '{"rerank-alias":0.001,"cosyvoice-v3-flash":0.001,"hearing":0.001,"dall-e-2":0.02,"dall-e-3":0.04}',
  });
  return { world, upstream, testSite };
}

/** What the tests of the non-chat endpoints share: a system with a channel for each of them. */
export function useEndpointSite() {
  const at = {} as Servers;
  beforeAll(async () => void Object.assign(at, await startServers()), 120_000);
  beforeEach(() => at.upstream.reset());
  afterAll(async () => {
    await at.world?.stop();
    await at.upstream?.stop();
  });

  async function createCaller() {
    const user = await at.testSite.createUser(10_000_000);
    const { key } = await at.testSite.token({}, user.client);
    return { key, client: openaiClient(at.world.relayUrl, key), user };
  }

  /** The only log row of a call. */
  const readRow = (requestId: string | null | undefined): Promise<LogRow> => at.testSite.readLogRow(requestId ?? "");

  return Object.assign(at, { createCaller, readRow });
}

export type EndpointSite = ReturnType<typeof useEndpointSite>;
