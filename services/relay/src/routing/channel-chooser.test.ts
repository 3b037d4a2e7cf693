import { describe, expect, it } from "vitest";
import { channel, chooserFor } from "./routing-fixtures.ts";

describe("channel chooser", () => {
  it("tries the other key of the only channel although its breaker is open", () => {
    const { chooser, tiers, health } = chooserFor([channel({ id: 1, keys: ["bad", "good"] })]);
    const bad = chooser.choose(tiers, []);
    for (let failures = 0; failures < 20 && bad; failures++) {
      health.started(1, bad.key);
      health.failed(1, bad.key, ["bad", "good"]);
    }
    const next = chooser.choose(tiers, bad ? [bad] : []);
    expect(new Set([bad?.key, next?.key])).toEqual(new Set(["bad", "good"]));
    expect(chooser.choose(tiers, bad && next ? [bad, next] : [])).toBeUndefined();
  });

  it("chooses none that is known to fail for a call that prefers none", () => {
    const { chooser, tiers, health } = chooserFor([channel({ id: 1, keys: ["bad", "good"] })]);
    const preferences = { model: "", isHealthyOnly: true };
    for (let failures = 0; failures < 20; failures++) health.failed(1, "bad", ["bad", "good"]);
    expect(chooser.choose(tiers, [], preferences)?.key).toBe("good");
    for (let failures = 0; failures < 20; failures++) health.failed(1, "good", ["bad", "good"]);
    expect(chooser.choose(tiers, [], preferences)).toBeUndefined();
    expect(chooser.choose(tiers, [])).toBeDefined();
  });

  it("chooses by weight within the highest tier, including weight 0", () => {
    const channels = [channel({ id: 1, weight: 90 }), channel({ id: 2, weight: 0 }), channel({ id: 3, priority: -1 })];
    const picks = [0.05, 0.5, 0.95].map((random) => {
      const { chooser, tiers } = chooserFor(channels, random);
      return chooser.choose(tiers, [])?.channel.id;
    });
    expect(picks).toEqual([1, 1, 2]);
  });

  it("never picks a tried channel while another is available, then falls back to the next tier", () => {
    const { chooser, tiers } = chooserFor([channel({ id: 1, priority: 9 }), channel({ id: 2 })]);
    const first = chooser.choose(tiers, []);
    const second = chooser.choose(tiers, first ? [first] : []);
    expect([first?.channel.id, second?.channel.id]).toEqual([1, 2]);
    expect(
      chooser.choose(
        tiers,
        [first, second].filter((choice) => choice !== undefined),
      ),
    ).toBeUndefined();
  });

  it("uses the keys of a channel round-robin, and another of its keys before giving up", () => {
    const { chooser, tiers } = chooserFor([channel({ id: 1, keys: ["a", "b"] })]);
    const first = chooser.choose(tiers, []);
    expect(first?.key).toBe("a");
    expect(chooser.choose(tiers, [])?.key).toBe("b");
    expect(chooser.choose(tiers, first ? [first] : [])?.key).toBe("b");
    expect(chooser.choose(tiers, [])?.key).toBe("a");
  });

  it("skips an open breaker, and tries it if nothing else is left", () => {
    const { chooser, tiers, health } = chooserFor([channel({ id: 1, priority: 9 }), channel({ id: 2 })]);
    for (let failure = 0; failure < 5; failure++) health.failed(1, "key");
    const first = chooser.choose(tiers, []);
    expect(first?.channel.id).toBe(2);
    expect(chooser.choose(tiers, first ? [first] : [])?.channel.id).toBe(1);
  });
});
