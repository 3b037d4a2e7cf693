import { channelsServed } from "@turnpike/shared/events/relay";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { admin, type ChannelWorld, startChannelWorld } from "./channel-world.ts";

describe("the live health of channels", () => {
  let world: ChannelWorld;
  beforeAll(async () => {
    world = await startChannelWorld();
  });
  afterAll(() => world.stop());

  it("stands beside each channel as relays tell it, and never in the routing table", async () => {
    const { id } = await world.create();
    const errors = [{ message: "HTTP 500", status: 500, atMs: 1_700_000_000_000 }];
    const served = { channelId: id, calls: 4, failures: 1, latencyMs: 300, openKeys: 1, trialKeys: 0, errors };
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
});
