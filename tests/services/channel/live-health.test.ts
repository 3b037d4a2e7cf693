import { channelObserved, channelsServed } from "@turnpike/shared/events/relay";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { admin, type ChannelWorld, code, commoner, startChannelWorld } from "./channel-world.ts";

describe("live channel health", () => {
  let world: ChannelWorld;
  beforeAll(async () => {
    world = await startChannelWorld();
  });
  afterAll(() => world.stop());

  it("is returned with each channel as relays report it, and never in the routing table", async () => {
    const { id } = await world.create();
    const errors = [{ message: "HTTP 500", status: 500, atMs: 1_700_000_000_000 }];
    const served = {
      channelId: id,
      calls: 4,
      failures: 1,
      latencyMs: 300,
      openKeys: 1,
      trialKeys: 0,
      keys: [],
      errors,
    };
    world.bus.notify(channelsServed, { relayId: "r1", atMs: Date.now(), channels: [served] });
    const health = {
      state: "open",
      calls: 4,
      errorRate: 0.25,
      latencyMs: 100,
      errors: [{ message: "HTTP 500", status: 500, atSeconds: 1_700_000_000 }],
    };
    await vi.waitFor(async () => expect((await world.find(id)).health).toEqual(health));
    const list = { page: 0, pageSize: 10, idSort: false, keyword: "", group: "", model: "", tagMode: false };
    expect((await world.client.listChannels(list, admin)).items[0]?.health).toEqual(health);
    expect((await world.snapshot()).channels[0]?.channel?.health).toBeUndefined();
  });

  it("names the models of each group that no channel serves now", async () => {
    const own = await startChannelWorld();
    const { client } = own;
    const { id } = await own.create({ group: "default", models: "broken,shared" });
    await own.create({ group: "vip", models: "shared" });
    await own.create({ group: "default", models: "fine" });
    await own.create({ group: "default", models: "withdrawn", status: 2 });
    expect((await client.listAbilities({})).unavailable).toEqual([]);
    const served = {
      channelId: id,
      calls: 4,
      failures: 4,
      latencyMs: 0,
      openKeys: 1,
      trialKeys: 0,
      keys: [],
      errors: [],
    };
    own.bus.notify(channelsServed, { relayId: "r1", atMs: Date.now(), channels: [served] });
    const broken = [{ group: "default", models: ["broken", "shared"] }];
    await vi.waitFor(async () => expect((await client.listAbilities({})).unavailable).toEqual(broken));
    // They stay callable: a half-open circuit breaker lets a probe through.
    expect((await client.listAbilities({})).abilities[0]?.models).toContain("broken");
    await own.mongo.collection("channels").updateOne({ _id: id as never }, { $set: { status: 3 } });
    const { abilities, unavailable } = await client.listAbilities({});
    expect(unavailable).toEqual(broken);
    expect(abilities[0]).toEqual({ group: "default", models: ["fine"] });
    await own.stop();
  });

  it("returns for each key whether it is enabled, in cooldown or disabled, and re-enables disabled keys", async () => {
    const { id } = await world.create({ key: "sk-first-1111\nsk-second-2222\nsk-third-3333" });
    const getKeys = async () => (await world.health.listKeys({ id }, admin)).keys;
    const inUse = { state: "in_use", reason: "", disabledAtSeconds: 0 };
    expect(await getKeys()).toEqual(["1111", "2222", "3333"].map((hint) => ({ hint, ...inUse })));

    const nothing = { calls: 0, failures: 0, latencyMs: 0, openKeys: 1, trialKeys: 0, errors: [] };
    const keys = [{ hash: world.hash("sk-second-2222"), isOpen: true }];
    world.bus.notify(channelsServed, {
      relayId: "r2",
      atMs: Date.now(),
      channels: [{ channelId: id, ...nothing, keys }],
    });
    const report = {
      channelId: id,
      keyHash: world.hash("sk-third-3333"),
      disable: true,
      reason: "bad key",
      status: 401,
    };
    world.bus.notify(channelObserved, report);
    await vi.waitFor(async () =>
      expect(await getKeys()).toEqual([
        { hint: "1111", ...inUse },
        { hint: "2222", ...inUse, state: "open" },
        { hint: "3333", state: "disabled", reason: "bad key", disabledAtSeconds: expect.any(Number) as number },
      ]),
    );
    expect(await world.health.reviveKeys({ id }, admin)).toEqual({ count: 1 });
    expect((await getKeys()).map(({ state }) => state)).toEqual(["in_use", "open", "in_use"]);
    expect(await world.health.reviveKeys({ id }, admin)).toEqual({ count: 0 });
    await expect(world.health.listKeys({ id }, commoner)).rejects.toEqual(code("permission_denied"));
    await expect(world.health.reviveKeys({ id }, commoner)).rejects.toEqual(code("permission_denied"));
  });
});
