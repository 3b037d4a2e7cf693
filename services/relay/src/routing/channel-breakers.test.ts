import { describe, expect, it } from "vitest";
import { createRoutingTable } from "./routing-table.ts";
import { channel, chooserFor } from "./routing-fixtures.ts";

describe("circuit breaker", () => {
  it("stays with its key if another key of the channel is removed", () => {
    const { health, chooser } = chooserFor([]);
    for (let call = 0; call < 5; call++) health.failed(1, "a");
    const pick = (keys: string[]) =>
      chooser.choose(createRoutingTable([channel({ id: 1, keys })]).tiers("default", "gpt-4o"), [])?.key;
    expect(pick(["a", "b", "c"])).toBe("b");
    expect(pick(["b", "c"])).toBe("b");
    expect(pick(["a", "c"])).toBe("c");
  });

  it("opens for all keys of a channel on failures independent of the key, and closes for all after one success", () => {
    const { health, chooser, pass } = chooserFor([]);
    const keys = ["a", "b", "c", "d", "e", "f"];
    const table = createRoutingTable([channel({ id: 1, keys, priority: 9 }), channel({ id: 2 })]);
    const pick = () => chooser.choose(table.tiers("default", "gpt-4o"), [])?.channel.id;
    expect(keys.slice(0, 5).map((key) => health.failed(1, key, keys))).toEqual([
      ...Array.from({ length: 4 }, () => undefined),
      "channel",
    ]);
    expect(pick()).toBe(2);
    expect(health.breakers().get(1)).toEqual({ open: keys, halfOpen: [] });
    pass(15_000);
    expect(pick()).toBe(1);
    health.started(1, "f");
    expect(pick()).toBe(2);
    health.succeeded(1, "f");
    expect([pick(), health.breakers().size]).toEqual([1, 0]);
  });

  it("stays closed for a channel whose keys are refused one by one, or that has only one key", () => {
    const { health } = chooserFor([]);
    const keys = ["a", "b", "c", "d", "e", "f"];
    for (const key of keys) health.failed(1, key);
    expect(keys.every((key) => health.isHealthy(1, key))).toBe(true);
    const results = Array.from({ length: 5 }, () => health.failed(2, "key", ["key"]));
    expect(results.at(-1)).toBe("key");
    expect(health.breakers()).toEqual(new Map([[2, { open: ["key"], halfOpen: [] }]]));
  });

  it("leaves the channel's other keys in use if a single key fails", () => {
    const { health } = chooserFor([]);
    const keys = ["a", "b"];
    const results = Array.from({ length: 6 }, () => {
      health.succeeded(1, "b");
      return health.failed(1, "a", keys);
    });
    expect(results).toEqual([undefined, undefined, undefined, undefined, "key", undefined]);
    expect(keys.map((key) => health.isHealthy(1, key))).toEqual([false, true]);
    expect([health.failed(1, "b", keys), health.failed(1, "b", keys)]).toEqual([undefined, "channel"]);
  });

  it("opens at five failures that are half of the calls, not at one", () => {
    const { health } = chooserFor([]);
    for (let call = 0; call < 4; call++) health.failed(1, "key");
    expect(health.isHealthy(1, "key")).toBe(true);
    for (let call = 0; call < 20; call++) health.succeeded(1, "key");
    health.failed(1, "key");
    expect(health.isHealthy(1, "key")).toBe(true);
  });

  it("lets one half-open probe through after its open interval and closes if that succeeds", () => {
    const { health, pass } = chooserFor([]);
    for (let call = 0; call < 5; call++) health.failed(1, "key");
    expect(health.isHealthy(1, "key")).toBe(false);
    pass(15_000);
    expect(health.isHealthy(1, "key")).toBe(true);
    health.started(1, "key");
    expect(health.isHealthy(1, "key")).toBe(false);
    health.succeeded(1, "key");
    expect(health.isHealthy(1, "key")).toBe(true);
  });

  it("waits longer after a failed half-open probe", () => {
    const { health, pass } = chooserFor([]);
    for (let call = 0; call < 5; call++) health.failed(1, "key");
    pass(15_000);
    health.started(1, "key");
    health.failed(1, "key");
    pass(15_000);
    expect(health.isHealthy(1, "key")).toBe(false);
    pass(15_000);
    expect(health.isHealthy(1, "key")).toBe(true);
  });
});
