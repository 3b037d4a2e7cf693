import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { getSubject } from "@turnpike/shared/events/bus";
import { Redis } from "ioredis";
import {
  ask,
  beginStreams,
  CALLS_FAIL,
  createStops,
  keepDoing,
  pause,
  type Rehearsal,
  type Scene,
  STREAMED_MODEL,
} from "./scene.ts";

const TWO_KEYS = "two-keys";
const TWO_KEYS_MODEL = "deepseek-reasoner";
const REFUSED_KEY = "up-first-key";
const REFUSE = { status: 401, message: "Incorrect API key provided", code: "invalid_api_key" };

const stops = createStops();

const setOption = ({ shop }: Scene, key: string, value: string): Promise<unknown> =>
  shop.root.put("/api/option/", { key, value });
const channels = ({ shop }: Scene) =>
  shop.root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 });
async function setStatus(scene: Scene, status: number): Promise<void> {
  for (const { id } of await channels(scene)) await scene.shop.root.put("/api/channel/", { id, status });
}

/** A second channel with two keys, one of which its provider refuses, next to a channel whose only key is refused. */
async function refuseKeys(scene: Scene): Promise<void> {
  const { shop, upstream } = scene;
  const known = { type: 1, name: TWO_KEYS, key: `${REFUSED_KEY}\nup-second-key`, group: "default" };
  await shop.root.post("/api/channel/", { ...known, base_url: upstream.url, models: TWO_KEYS_MODEL });
  await setOption(scene, "AutomaticDisableChannelEnabled", "true");
  upstream.always({ model: "deepseek-chat" }, { refuse: REFUSE });
  upstream.always({ model: TWO_KEYS_MODEL, key: REFUSED_KEY }, { refuse: REFUSE });
  const call = (): Promise<unknown> => Promise.all([ask(scene, "deepseek-chat"), ask(scene, TWO_KEYS_MODEL)]);
  // Wait until every relay has the option and the channel.
  stops.add(keepDoing(call, 1_000));
}
async function acceptKeys(scene: Scene): Promise<void> {
  await stops.all();
  scene.upstream.reset();
  await setOption(scene, "AutomaticDisableChannelEnabled", "false");
  await setStatus(scene, 1);
  // As in the runbook: the key is replaced.
  const id = (await channels(scene)).find(({ name }) => name === TWO_KEYS)?.id;
  await scene.shop.root.put("/api/channel/", { id, key: "up-third-key" });
}

/** Redis responds slowly; calls of tokens with a limit depend on it. */
async function slowRedis(scene: Scene): Promise<void> {
  const limit = { rate_limit_enabled: true, rate_limit_period: 60, rate_limit_count: 10_000, rate_limit_success: 0 };
  const { key } = await scene.shop.token(limit);
  const redis = new Redis(scene.world.redisUrl);
  const stopPausing = keepDoing(() => redis.call("CLIENT", "PAUSE", "150", "ALL"), 200);
  const callers = Array.from({ length: 3 }, () => keepDoing(() => ask({ ...scene, key }, "gpt-4o"), 0));
  stops.add(async () => {
    await Promise.all([stopPausing(), ...callers.map((stop) => stop())]);
    await redis.quit();
  });
}

/** Faults of calls: of relays, of channels, and of shared dependencies. */
export const CALL_TROUBLES: readonly Rehearsal[] = [
  {
    act: 1,
    trouble: "providers refuse the only key of a channel and one of two of another",
    alerts: ["TurnpikeChannelDown", "TurnpikeKeyExhausted"],
    beside: CALLS_FAIL,
    make: refuseKeys,
    end: acceptKeys,
  },
  {
    act: 1,
    trouble: "a usage message that nobody can read",
    alerts: ["TurnpikeUsageDeadLettered"],
    make: async ({ world }) => {
      const nats = await connect({ servers: world.natsUrl });
      await jetstream(nats).publish(getSubject(world.namespace, "usage.calls.recorded.v1"), "not of our making");
      await nats.close();
    },
    end: () => Promise.resolve(),
  },
  {
    act: 2,
    trouble: "a relay dies with streams under way",
    alerts: ["TurnpikeRelayDied"],
    make: async (scene) => {
      scene.upstream.always({ model: STREAMED_MODEL }, { pieces: 300, frameGapMs: 50 });
      beginStreams(scene, 10, 100);
      await pause(3_000);
      scene.world.kill("relay");
      await pause(500);
      await scene.world.waitReady("relay");
    },
    end: async ({ upstream }) => upstream.reset(),
  },
  {
    act: 3,
    trouble: "an upstream fails every call to one model",
    alerts: ["TurnpikeErrorBudgetFast", "TurnpikeErrorBudgetSlow", "TurnpikeChannelFailing"],
    make: async (scene) => {
      scene.upstream.always({ model: "gpt-4o-mini" }, { refuse: { status: 500 } });
      stops.add(keepDoing(() => ask(scene, "gpt-4o-mini"), 25));
    },
    end: async ({ upstream }) => {
      await stops.all();
      upstream.reset();
    },
  },
  {
    act: 4,
    trouble: "Redis answers late",
    alerts: ["TurnpikeLatencyBudget"],
    beside: CALLS_FAIL,
    make: slowRedis,
    end: () => stops.all(),
  },
  {
    act: 5,
    trouble: "Redis goes while streams are under way",
    alerts: ["TurnpikeBackingServiceDown", "TurnpikeSettleFailures"],
    beside: CALLS_FAIL,
    make: async (scene) => {
      scene.upstream.always({ model: STREAMED_MODEL }, { pieces: 200, frameGapMs: 100 });
      beginStreams(scene, 150, 200);
      await pause(15_000);
      await scene.world.stopBacking("redis");
    },
    end: async ({ world, upstream }) => {
      await world.startBacking("redis");
      upstream.reset();
    },
  },
  {
    act: 6,
    trouble: "NATS is away while calls go on",
    alerts: ["TurnpikeBackingServiceDown", "TurnpikeSpoolFilling"],
    beside: CALLS_FAIL,
    make: async (scene) => {
      await scene.world.stopBacking("nats");
      for (let caller = 0; caller < 4; caller++) stops.add(keepDoing(() => ask(scene, "gpt-4o"), 10));
    },
    end: async ({ world }) => {
      await stops.all();
      await world.startBacking("nats");
    },
  },
  {
    act: 7,
    trouble: "no channel is switched on",
    alerts: ["TurnpikeNoChannels"],
    beside: CALLS_FAIL,
    make: (scene) => setStatus(scene, 2),
    end: (scene) => setStatus(scene, 1),
  },
  {
    act: 8,
    trouble: "MongoDB is away while calls go on",
    alerts: ["TurnpikeBackingServiceDown", "TurnpikeBillingLag"],
    beside: [...CALLS_FAIL, "TurnpikeConsoleErrors", "TurnpikeMongoFailing"],
    make: ({ world }) => world.stopBacking("mongodb"),
    end: ({ world }) => world.startBacking("mongodb"),
  },
];
