import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstream } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { getSubject } from "@turnpike/shared/events/bus";
import { Redis } from "ioredis";
import {
  sendCall,
  beginStreams,
  CALLS_FAIL,
  createStops,
  repeat,
  pause,
  type Rehearsal,
  type RehearsalContext,
  STREAMED_MODEL,
} from "./rehearsal.ts";

const TWO_KEYS = "two-keys";
const TWO_KEYS_MODEL = "deepseek-reasoner";
const REFUSED_KEY = "up-first-key";
const REFUSE = { status: 401, message: "Incorrect API key provided", code: "invalid_api_key" };

const stops = createStops();

const setOption = ({ testSite }: RehearsalContext, key: string, value: string): Promise<unknown> =>
  testSite.root.put("/api/option/", { key, value });
const channels = ({ testSite }: RehearsalContext) =>
  testSite.root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 });
async function setStatus(context: RehearsalContext, status: number): Promise<void> {
  for (const { id } of await channels(context)) await context.testSite.root.put("/api/channel/", { id, status });
}

/** A second channel with two keys, one of which its provider refuses, next to a channel whose only key is refused. */
async function refuseKeys(context: RehearsalContext): Promise<void> {
  const { testSite, upstream } = context;
  const known = { type: 1, name: TWO_KEYS, key: `${REFUSED_KEY}\nup-second-key`, group: "default" };
  await testSite.root.post("/api/channel/", { ...known, base_url: upstream.url, models: TWO_KEYS_MODEL });
  await setOption(context, "AutomaticDisableChannelEnabled", "true");
  upstream.always({ model: "deepseek-chat" }, { refuse: REFUSE });
  upstream.always({ model: TWO_KEYS_MODEL, key: REFUSED_KEY }, { refuse: REFUSE });
  const call = (): Promise<unknown> =>
    Promise.all([sendCall(context, "deepseek-chat"), sendCall(context, TWO_KEYS_MODEL)]);
  // Wait until every relay has the option and the channel.
  stops.add(repeat(call, 1_000));
}
async function acceptKeys(context: RehearsalContext): Promise<void> {
  await stops.all();
  context.upstream.reset();
  await setOption(context, "AutomaticDisableChannelEnabled", "false");
  await setStatus(context, 1);
  // The runbook's step: the key is replaced.
  const id = (await channels(context)).find(({ name }) => name === TWO_KEYS)?.id;
  await context.testSite.root.put("/api/channel/", { id, key: "up-third-key" });
}

/** Redis responds slowly; calls of tokens with a limit depend on it. */
async function slowRedis(context: RehearsalContext): Promise<void> {
  const limit = { rate_limit_enabled: true, rate_limit_period: 60, rate_limit_count: 10_000, rate_limit_success: 0 };
  const { key } = await context.testSite.token(limit);
  const redis = new Redis(context.world.redisUrl);
  const stopPausing = repeat(() => redis.call("CLIENT", "PAUSE", "150", "ALL"), 200);
  const callers = Array.from({ length: 3 }, () => repeat(() => sendCall({ ...context, key }, "gpt-4o"), 0));
  stops.add(async () => {
    await Promise.all([stopPausing(), ...callers.map((stop) => stop())]);
    await redis.quit();
  });
}

/** Faults of calls: of relays, of channels, and of shared dependencies. */
export const CALL_FAULTS: readonly Rehearsal[] = [
  {
    act: 1,
    fault: "providers refuse the only key of one channel and one of two keys of another",
    alerts: ["TurnpikeChannelDown", "TurnpikeKeyExhausted"],
    alsoAllowed: CALLS_FAIL,
    inject: refuseKeys,
    clear: acceptKeys,
  },
  {
    act: 1,
    fault: "an unreadable usage message",
    alerts: ["TurnpikeUsageDeadLettered"],
    inject: async ({ world }) => {
      const nats = await connect({ servers: world.natsUrl });
      await jetstream(nats).publish(getSubject(world.namespace, "usage.calls.recorded.v1"), "not a usage record");
      await nats.close();
    },
    clear: () => Promise.resolve(),
  },
  {
    act: 1,
    fault: "a relay takes over a spool with a damaged line",
    alerts: ["TurnpikeRelayDeadLetters"],
    // The relay starts again to take it over.
    alsoAllowed: [...CALLS_FAIL, "TurnpikeServiceDown"],
    inject: async ({ world }) => {
      const folder = join(world.dataFolder, "spool", "damaged");
      await world.suspend("relay");
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, "pid"), "999999999");
      writeFileSync(join(folder, "0.ndjson"), "{ damaged\n");
      await world.resume("relay");
    },
    clear: () => Promise.resolve(),
  },
  {
    act: 2,
    fault: "a relay dies with open streams",
    alerts: ["TurnpikeRelayDied"],
    inject: async (context) => {
      context.upstream.always({ model: STREAMED_MODEL }, { pieces: 300, frameGapMs: 50 });
      beginStreams(context, 10, 100);
      await pause(3_000);
      context.world.kill("relay");
      await pause(500);
      await context.world.waitReady("relay");
    },
    clear: async ({ upstream }) => upstream.reset(),
  },
  {
    act: 3,
    fault: "an upstream fails every call to one model",
    alerts: ["TurnpikeErrorBudgetFast", "TurnpikeErrorBudgetSlow", "TurnpikeChannelFailing"],
    inject: async (context) => {
      context.upstream.always({ model: "gpt-4o-mini" }, { refuse: { status: 500 } });
      stops.add(repeat(() => sendCall(context, "gpt-4o-mini"), 25));
    },
    clear: async ({ upstream }) => {
      await stops.all();
      upstream.reset();
    },
  },
  {
    act: 4,
    fault: "Redis responds slowly",
    alerts: ["TurnpikeLatencyBudget"],
    alsoAllowed: CALLS_FAIL,
    inject: slowRedis,
    clear: () => stops.all(),
  },
  {
    act: 5,
    fault: "Redis goes down during streams",
    alerts: ["TurnpikeBackingServiceDown", "TurnpikeSettleFailures"],
    alsoAllowed: CALLS_FAIL,
    inject: async (context) => {
      context.upstream.always({ model: STREAMED_MODEL }, { pieces: 200, frameGapMs: 100 });
      beginStreams(context, 150, 200);
      await pause(15_000);
      await context.world.stopBacking("redis");
    },
    clear: async ({ world, upstream }) => {
      await world.startBacking("redis");
      upstream.reset();
    },
  },
  {
    act: 6,
    fault: "NATS is down during calls",
    alerts: ["TurnpikeBackingServiceDown", "TurnpikeSpoolFilling"],
    alsoAllowed: CALLS_FAIL,
    inject: async (context) => {
      await context.world.stopBacking("nats");
      for (let caller = 0; caller < 4; caller++) stops.add(repeat(() => sendCall(context, "gpt-4o"), 10));
    },
    clear: async ({ world }) => {
      await stops.all();
      await world.startBacking("nats");
    },
  },
  {
    act: 7,
    fault: "no channel is enabled",
    alerts: ["TurnpikeNoChannels"],
    alsoAllowed: CALLS_FAIL,
    inject: (context) => setStatus(context, 2),
    clear: (context) => setStatus(context, 1),
  },
  {
    act: 8,
    fault: "MongoDB is down during calls",
    alerts: ["TurnpikeBackingServiceDown", "TurnpikeBillingLag"],
    alsoAllowed: [...CALLS_FAIL, "TurnpikeConsoleErrors", "TurnpikeMongoFailing"],
    inject: ({ world }) => world.stopBacking("mongodb"),
    clear: ({ world }) => world.startBacking("mongodb"),
  },
];
