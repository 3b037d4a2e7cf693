import { afterAll, beforeAll, beforeEach } from "vitest";
import { BEDROCK_KEY } from "./fake-upstream/bedrock-format.ts";
import { type FakeUpstream, startFakeUpstream } from "./fake-upstream/fake-upstream.ts";
import { openTestSite, type TestSite } from "./test-site.ts";
import { testBacking } from "./backing/test-backing.ts";
import { startWorld, type World } from "./world.ts";

/** A running Turnpike with a channel to each kind of upstream, and a key for all of them. */
export type SdkWorld = {
  readonly world: World;
  readonly upstream: FakeUpstream;
  readonly testSite: TestSite;
  readonly url: string;
  readonly key: string;
  readonly stop: () => Promise<void>;
};

/** One model for each kind of upstream, so that the model selects the channel. */
export const UPSTREAMS = [
  ["OpenAI", "gpt-4o-mini"],
  ["Anthropic", "claude-3-5-sonnet-20241022"],
  ["Gemini", "gemini-2.0-flash"],
  ["Bedrock", "claude-3-5-haiku-20241022"],
  ["Cohere", "command-r-plus"],
  ["OpenAI-like", "deepseek-chat"],
  ["OpenAI's Responses API only", "o3-pro"],
] as const;

/** More models served by the Responses API only: one that refuses streams, and one served by Azure. */
export const RESPONSES_MODELS = { withoutStreams: "gpt-5-pro", atAzure: "gpt-5.1-codex" } as const;

const ENDPOINT_MODELS =
  "text-embedding-3-small,gpt-3.5-turbo-instruct,omni-moderation-latest,dall-e-3,gpt-image-1,tts-1,whisper-1,gpt-4o,o3-mini";

/** The weather tool in every dialect's format. */
export const WEATHER = {
  name: "weather",
  description: "Tells the weather of a city.",
  schema: {
    type: "object" as const,
    properties: { city: { type: "string" }, days: { type: "integer" } },
    required: ["city"],
    additionalProperties: false,
  },
  input: { city: "Zürich", days: 3 },
};

export const USAGE = { inputTokens: 400, cachedTokens: 100, outputTokens: 50, reasoningTokens: 0 } as const;

async function startSdkWorld(): Promise<SdkWorld> {
  const upstream = await startFakeUpstream();
  const world = await startWorld({ backing: testBacking() });
  const testSite = await openTestSite(world, upstream.url);
  // Otherwise a stream of a model that has reported reasoning is read on for its usage after the client disconnects.
  await testSite.root.put("/api/option/", { key: "HiddenReasoningOnDisconnect", value: "share" });
  const add = (type: number, models: string, fields: object = {}): Promise<unknown> =>
    testSite.root.post("/api/channel/", {
      type,
      name: `sdk-${type}`,
      key: "up-key",
      base_url: upstream.url,
      models,
      group: "default",
      priority: 5,
      ...fields,
    });
  await add(1, `${ENDPOINT_MODELS},${UPSTREAMS[6][1]},${RESPONSES_MODELS.withoutStreams}`);
  await add(3, RESPONSES_MODELS.atAzure, { other: "2025-04-01-preview" });
  await add(33, UPSTREAMS[3][1], { key: BEDROCK_KEY });
  await add(34, UPSTREAMS[4][1]);
  await add(43, UPSTREAMS[5][1]);
  await add(24, "gemini-embedding-001,gemini-2.5-flash");
  const prices = { "omni-moderation-latest": 0, "dall-e-3": 0.04, "gpt-5-pro": 0.01, "gpt-5.1-codex": 0.01 };
  await testSite.root.put("/api/option/", { key: "ModelPrice", value: JSON.stringify(prices) });
  // Callers may request any service tier.
  await testSite.root.put("/api/option/", { key: "UnpricedTiers", value: "standard" });
  const { key } = await testSite.token({ unlimited_quota: true });
  return {
    world,
    upstream,
    testSite,
    url: world.relayUrl,
    key,
    async stop() {
      await world.stop();
      await upstream.stop();
    },
  };
}

/** That world for the tests of one file; its upstream deletes its scripts before each of them. */
export function useSdkWorld(): SdkWorld {
  const place = {} as SdkWorld;
  beforeAll(async () => void Object.assign(place, await startSdkWorld()), 120_000);
  beforeEach(() => place.upstream.reset());
  afterAll(() => place.stop?.());
  return place;
}
