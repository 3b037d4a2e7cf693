import { connect } from "@nats-io/transport-node";
import { jetstream } from "@nats-io/jetstream";
import { subjectOf } from "@turnpike/shared/events/bus";
import type { FakeUpstream } from "../lib/fake-upstream/fake-upstream.ts";
import type { Shop } from "../lib/shop.ts";
import type { World } from "../lib/world.ts";
import type { Prometheus } from "./prometheus.ts";

export type Scene = {
  readonly world: World;
  readonly upstream: FakeUpstream;
  readonly shop: Shop;
  readonly key: string;
  readonly prometheus: Prometheus;
};

/** A trouble, the alerts that must come of it, and its end. */
export type Rehearsal = {
  readonly trouble: string;
  readonly alerts: readonly string[];
  readonly make: (scene: Scene) => Promise<unknown>;
  readonly end: (scene: Scene) => Promise<unknown>;
};

const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** One call; answers its status, 0 for none. */
export async function ask({ world, key }: Scene, model: string, stream = false): Promise<number> {
  const response = await fetch(`${world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, stream, messages: [{ role: "user", content: "Hello" }] }),
    signal: AbortSignal.timeout(60_000),
  });
  await response.arrayBuffer();
  return response.status;
}

const custom = ({ shop }: Scene): number => shop.channelIds["custom"] ?? 0;
const setOption = ({ shop }: Scene, key: string, value: string): Promise<unknown> =>
  shop.root.put("/api/option/", { key, value });
const setStatus = ({ shop }: Scene, status: number): Promise<unknown> =>
  Promise.all(Object.values(shop.channelIds).map((id) => shop.root.put("/api/channel/", { id, status })));

/** Streams that last some seconds and end one after another. */
function longStreams(scene: Scene, count: number): void {
  for (let index = 0; index < count; index++)
    setTimeout(() => void ask(scene, "claude-3-5-sonnet-20241022", true).catch(() => 0), index * 100);
}

let visits: NodeJS.Timeout | undefined;

export const REHEARSALS: readonly Rehearsal[] = [
  {
    trouble: "messaging does not answer",
    alerts: ["TurnpikeServiceDown"],
    make: ({ world }) => world.suspend("messaging"),
    end: ({ world }) => world.resume("messaging"),
  },
  {
    trouble: "a provider refuses a channel's only key",
    alerts: ["TurnpikeChannelDown"],
    make: async (scene) => {
      await setOption(scene, "AutomaticDisableChannelEnabled", "true");
      const refuse = { status: 401, message: "Incorrect API key provided", code: "invalid_api_key" };
      scene.upstream.always({ model: "deepseek-chat" }, { refuse });
      // Until every relay knows of the option.
      for (let call = 0; call < 10; call++) {
        await ask(scene, "deepseek-chat");
        await pause(1_000);
      }
    },
    end: async (scene) => {
      scene.upstream.reset();
      await setOption(scene, "AutomaticDisableChannelEnabled", "false");
      return scene.shop.root.put("/api/channel/", { id: custom(scene), status: 1 });
    },
  },
  {
    trouble: "a usage message that nobody can read",
    alerts: ["TurnpikeUsageSetAside"],
    make: async ({ world }) => {
      const nats = await connect({ servers: world.natsUrl });
      await jetstream(nats).publish(subjectOf(world.namespace, "usage.calls.recorded.v1"), "not of our making");
      await nats.close();
    },
    end: () => Promise.resolve(),
  },
  {
    trouble: "billing is away while people use the console",
    alerts: ["TurnpikeConsoleErrors"],
    make: async (scene) => {
      await scene.world.suspend("billing");
      visits = setInterval(() => void scene.shop.logs().catch(() => undefined), 200);
    },
    end: async ({ world }) => {
      clearInterval(visits);
      await world.resume("billing");
    },
  },
  {
    trouble: "a relay dies with streams under way",
    alerts: ["TurnpikeRelayDied"],
    make: async (scene) => {
      scene.upstream.always({ model: "claude-3-5-sonnet-20241022" }, { pieces: 300, frameGapMs: 50 });
      longStreams(scene, 10);
      await pause(3_000);
      scene.world.kill("relay");
      await pause(500);
      await scene.world.waitReady("relay");
    },
    end: async ({ upstream }) => upstream.reset(),
  },
  {
    trouble: "an upstream fails every call to one model",
    alerts: ["TurnpikeErrorBudgetFast", "TurnpikeErrorBudgetSlow", "TurnpikeChannelFailing"],
    make: async (scene) => {
      scene.upstream.always({ model: "gpt-4o-mini" }, { refuse: { status: 500 } });
      for (let call = 0; call < 400; call++) {
        await ask(scene, "gpt-4o-mini");
        await pause(25);
      }
    },
    end: async ({ upstream }) => upstream.reset(),
  },
  {
    trouble: "Redis goes while streams are under way",
    alerts: ["TurnpikeBackingDown", "TurnpikeSettleFailures"],
    make: async (scene) => {
      scene.upstream.always({ model: "claude-3-5-sonnet-20241022" }, { pieces: 200, frameGapMs: 100 });
      longStreams(scene, 250);
      await pause(15_000);
      await scene.world.stopBacking("redis");
    },
    end: async ({ world, upstream }) => {
      await world.startBacking("redis");
      upstream.reset();
    },
  },
  {
    trouble: "NATS is away while calls go on",
    alerts: ["TurnpikeBackingDown", "TurnpikeSpoolFilling"],
    make: async (scene) => {
      await scene.world.stopBacking("nats");
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          for (let call = 0; call < 60; call++) await ask(scene, "gpt-4o");
        }),
      );
    },
    end: ({ world }) => world.startBacking("nats"),
  },
  {
    trouble: "MongoDB is away while calls go on",
    alerts: ["TurnpikeBackingDown", "TurnpikeBillingLag"],
    make: ({ world }) => world.stopBacking("mongodb"),
    end: ({ world }) => world.startBacking("mongodb"),
  },
  {
    trouble: "no channel is switched on",
    alerts: ["TurnpikeNoChannels"],
    make: (scene) => setStatus(scene, 2),
    end: (scene) => setStatus(scene, 1),
  },
];

/** Alerts that take hours, a broken ledger, or what stands outside the system: promtool alone rehearses them (rules.test.yaml). */
export const REHEARSED_BY_PROMTOOL: readonly string[] = [
  "TurnpikeRestarts",
  "TurnpikeLatencyBudget",
  "TurnpikeEventLoopSlow",
  "TurnpikeMongoFailing",
  "TurnpikeKeyExhausted",
  "TurnpikeLedgerDifference",
  "TurnpikeLedgerUnchecked",
  "TurnpikeDeliveriesStuck",
  "TurnpikeCertificateExpires",
  "TurnpikeBackupOld",
];
