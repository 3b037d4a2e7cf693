import { describe, expect, it } from "vitest";
import type { RelayCall } from "../core/call/relay-call.ts";
import { ChannelChooser, type RoutingPreferences } from "./channel-chooser.ts";
import { getSessionAffinityKey } from "./session-affinity.ts";
import { createChannelBreakers } from "./channel-breakers.ts";
import { createLatencies } from "./latencies.ts";
import { createCooldowns } from "./cooldowns.ts";
import type { RoutedChannel } from "../core/call/channel.ts";

const channel = (id: number, { keys = ["key"], weight = 0 } = {}): RoutedChannel =>
  ({ id, keys, weight }) as unknown as RoutedChannel;

function world(random: () => number = Math.random) {
  const clock = { ms: 1_000_000 };
  const now = (): number => clock.ms;
  const [health, cooldowns, latencies] = [createChannelBreakers(now), createCooldowns(now), createLatencies(now)];
  return { clock, health, cooldowns, latencies, chooser: new ChannelChooser({ health, cooldowns, latencies, random }) };
}
const getCall = (body: object, userId = 1): RelayCall =>
  ({ body, model: "m", admitted: { caller: { known: { token: { userId } } } } }) as unknown as RelayCall;

describe("key in cooldown", () => {
  const preference: RoutingPreferences = { model: "m" };

  it("is skipped for that model until the cooldown ends; other keys are not", () => {
    const { clock, cooldowns, chooser } = world(() => 0);
    const tiers = [[channel(1), channel(2)]];
    cooldowns.begin({ channelId: 1, key: "key", model: "m" }, 30);
    expect(chooser.choose(tiers, [], preference)?.channel.id).toBe(2);
    expect(chooser.choose(tiers, [], { model: "other" })?.channel.id).toBe(1);
    clock.ms += 30_000;
    expect(chooser.choose(tiers, [], preference)?.channel.id).toBe(1);
  });

  it("is replaced by another key of its channel, or by a lower tier", () => {
    const { cooldowns, chooser } = world(() => 0);
    cooldowns.begin({ channelId: 1, key: "a", model: "m" }, 30);
    expect(chooser.choose([[channel(1, { keys: ["a", "b"] })]], [], preference)?.key).toBe("b");
    expect(chooser.choose([[channel(1, { keys: ["a"] })], [channel(2)]], [], preference)?.channel.id).toBe(2);
  });

  it("is tried if nothing else is left", () => {
    const { cooldowns, chooser } = world();
    cooldowns.begin({ channelId: 1, key: "key", model: "m" }, 30);
    expect(chooser.choose([[channel(1)]], [], preference)?.channel.id).toBe(1);
  });
});

describe("choice by latency", () => {
  const share = ({ chooser }: ReturnType<typeof world>, tiers: RoutedChannel[][]): number => {
    const picked = Array.from({ length: 2_000 }, () =>
      chooser.choose(tiers, [], { model: "m", latencyKey: "m stream" }),
    );
    return picked.filter((choice) => choice?.channel.id === 1).length / picked.length;
  };

  it("gives slow channels little traffic, and unmeasured ones their full share", () => {
    const own = world();
    const tiers = [[channel(1), channel(2)]];
    expect(share(own, tiers)).toBeCloseTo(0.5, 1);
    own.latencies.record(1, "m stream", 300);
    expect(share(own, tiers)).toBeCloseTo(0.5, 1);
    own.latencies.record(2, "m stream", 100);
    expect(share(own, tiers)).toBeCloseTo(0.1, 1);
  });

  it("measures a channel again after a minute without data, and separates latency keys", () => {
    const own = world();
    const tiers = [[channel(1), channel(2)]];
    own.latencies.record(1, "m whole", 90_000);
    expect(share(own, tiers)).toBeCloseTo(0.5, 1);
    own.latencies.record(1, "m stream", 90_000);
    own.latencies.record(2, "m stream", 10);
    expect(share(own, tiers)).toBeLessThan(0.1);
    own.clock.ms += 61_000;
    expect(share(own, tiers)).toBeCloseTo(0.5, 1);
  });
});

describe("conversation", () => {
  const tiers = [Array.from({ length: 5 }, (_, index) => channel(index + 1, { keys: ["a", "b", "c"] }))];
  const names = Array.from({ length: 500 }, (_, index) => `conversation ${index}`);
  const pick = ({ chooser }: ReturnType<typeof world>, conversation: string, of = tiers) => {
    const choice = chooser.choose(of, [], { model: "m", conversation });
    return `${choice?.channel.id}/${choice?.key}`;
  };

  it("stays on one channel and key on every relay, while different ones are spread evenly", () => {
    const [one, other] = [world(), world()];
    const places = names.map((name) => pick(one, name));
    expect(names.map((name) => pick(other, name))).toEqual(places);
    expect(names.toReversed().map((name) => pick(one, name))).toEqual(places.toReversed());
    const counts = Map.groupBy(places, (place) => place);
    expect(counts.size).toBe(15);
    expect(Math.max(...[...counts.values()].map(({ length }) => length))).toBeLessThan(70);
  });

  it("moves only if its own channel or key fails, and moves back afterwards", () => {
    const own = world();
    const before = names.map((name) => pick(own, name));
    for (let failure = 0; failure < 5; failure++) own.health.failed(3, "b");
    const moved = names.filter((name, index) => pick(own, name) !== before[index]);
    expect(moved).toEqual(names.filter((_, index) => before[index] === "3/b"));
    own.health.started(3, "b");
    own.health.succeeded(3, "b");
    expect(names.map((name) => pick(own, name))).toEqual(before);
  });

  it("follows the weights of channels", () => {
    const weighted = [[channel(1, { weight: 80 }), channel(2)]];
    const onFirst = names.filter((name) => pick(world(), name, weighted).startsWith("1/"));
    expect(onFirst.length / names.length).toBeCloseTo(0.9, 1);
  });

  it("is identified by the caller's own name, else by its first messages, per user", () => {
    const first = { role: "user", content: "hello" };
    const later = [first, { role: "assistant", content: "hi" }, { role: "user", content: "more" }];
    const system = { role: "system", content: "be kind" };
    const of = (body: object, userId?: number) => getSessionAffinityKey(getCall(body, userId));
    expect(of({ messages: later })).toBe(of({ messages: [first] }));
    expect(of({ messages: [system, ...later] })).toBe(of({ messages: [system, first] }));
    expect(of({ messages: [system, ...later] })).not.toBe(of({ messages: [system, { ...first, content: "other" }] }));
    expect(of({ messages: [first] }, 2)).not.toBe(of({ messages: [first] }, 1));
    expect(of({ prompt_cache_key: "k", messages: [first] })).toBe(of({ prompt_cache_key: "k", messages: later }));
    expect(of({ metadata: { user_id: "u" }, messages: [system] })).toBe(of({ user: "u", messages: [first] }));
    expect(of({ contents: [{ role: "user", parts: [{ text: "a" }] }] })).not.toBe(of({ contents: [] }));
  });
});

describe("session that a call's headers name", () => {
  const keyFor = (sessionId: string | undefined, body: object, userId = 1) =>
    getSessionAffinityKey({
      ...(sessionId === undefined ? {} : { sessionId }),
      body,
      model: "m",
      admitted: { caller: { known: { token: { userId } } } },
    } as unknown as Parameters<typeof getSessionAffinityKey>[0]);

  it("is the conversation, whatever the body contains, and no other user's", () => {
    expect(keyFor("s", { prompt_cache_key: "a" })).toBe(keyFor("s", { user: "b" }));
    expect(keyFor("s", {})).not.toBe(keyFor("t", {}));
    expect(keyFor("s", {})).not.toBe(keyFor("s", {}, 2));
    expect(keyFor("s", {})).not.toBe(keyFor(undefined, { prompt_cache_key: "s" }));
  });
});
