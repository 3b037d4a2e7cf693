import { channelObserved } from "@turnpike/shared/events/relay";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { admin, type ChannelWorld, code, startChannelWorld } from "./channel-world.ts";

describe("the routing table over gRPC", () => {
  let world: ChannelWorld;
  beforeEach(async () => {
    world = await startChannelWorld();
  });
  afterEach(() => world.stop());

  const report = (channelId: number, keyIndex: number, over: { disable?: boolean; reason?: string } = {}): void =>
    world.bus.notify(channelObserved, { channelId, keyIndex, disable: true, reason: "refused", status: 401, ...over });
  /** The keys that relays get of a channel now. */
  const keysOf = async (id: number): Promise<readonly string[]> =>
    (await world.snapshot()).channels.find(({ channel }) => channel?.id === id)?.keys ?? [];

  it("holds enabled channels with their keys, and a revision that grows with each change", async () => {
    expect(await world.snapshot()).toEqual({ revision: 0, channels: [] });
    const a = await world.create({ key: "sk-one-1111,sk-two-2222" });
    const b = await world.create({ status: 2 });
    const first = await world.snapshot();
    expect(first).toMatchObject({
      revision: 2,
      channels: [{ channel: { id: a.id }, keys: ["sk-one-1111", "sk-two-2222"] }],
    });
    await world.client.updateChannel({ id: b.id, input: { status: 1 } }, admin);
    await world.client.updateChannel({ id: b.id, input: { status: 1 } }, admin);
    await world.client.deleteChannel({ id: a.id }, admin);
    const then = await world.snapshot();
    expect(then.revision).toBe(4);
    expect(then.channels.map(({ channel }) => channel?.id)).toEqual([b.id]);
  });

  it("tells relays of each change at once, with the revision it made", async () => {
    const { id } = await world.create();
    await world.client.updateChannel({ id, input: { weight: 9 } }, admin);
    await vi.waitFor(() =>
      expect(world.heard.changed).toEqual([
        { revision: 1, channelId: id },
        { revision: 2, channelId: id },
      ]),
    );
  });

  it("gives changes that happen at once a revision each", async () => {
    await Promise.all(Array.from({ length: 10 }, () => world.create()));
    const { revision, channels } = await world.snapshot();
    expect([revision, channels.length]).toEqual([10, 10]);
    await vi.waitFor(() => expect(new Set(world.heard.changed.map((notice) => notice.revision)).size).toBe(10));
  });

  it("leaves out a channel whose keys it cannot open, not the others", async () => {
    const [a, b] = [await world.create(), await world.create()];
    await world.mongo.collection("channels").updateOne({ _id: a.id as never }, { $set: { "keys.0.box": "00.AA.AA" } });
    expect((await world.snapshot()).channels.map(({ channel }) => channel?.id)).toEqual([b.id]);
  });

  it("lists what each group can call, by prefixed names where there is a prefix", async () => {
    await world.create({ group: "default,vip", models: "b,a" });
    await world.create({ group: "vip", models: "a", modelPrefix: "eu/" });
    await world.create({ group: "vip", models: "hidden", status: 2 });
    expect((await world.client.listAbilities({})).abilities).toEqual([
      { group: "default", models: ["a", "b"] },
      { group: "vip", models: ["a", "b", "eu/a"] },
    ]);
  });

  it("disables a channel whose only key a relay found unfit, tells of it, and takes it back by hand", async () => {
    const { id } = await world.create();
    report(id, 0, { reason: "Incorrect API key sk-main-1234" });
    await vi.waitFor(async () => expect((await world.find(id)).status).toBe(3));
    const info = JSON.parse((await world.find(id)).otherInfo) as Record<string, unknown>;
    expect(info).toMatchObject({ status_reason: "Incorrect API key ***", status_time: expect.any(Number) as number });
    await vi.waitFor(() =>
      expect(world.heard.autoDisabled).toEqual([{ channelId: id, name: "main", reason: "Incorrect API key ***" }]),
    );
    await vi.waitFor(() => expect(world.heard.changed.at(-1)).toEqual({ revision: 2, channelId: id }));
    expect((await world.snapshot()).channels).toEqual([]);
    expect((await world.client.listAbilities({})).abilities).toEqual([]);

    await world.client.updateChannel({ id, input: { status: 1 } }, admin);
    expect(await world.find(id)).toMatchObject({ status: 1, otherInfo: "" });
    expect(await keysOf(id)).toEqual(["sk-main-1234"]);
  });

  it("puts one of several keys out of use alone, and the channel only with the last", async () => {
    const { id } = await world.create({ key: "sk-one-1111,sk-two-2222" });
    report(id, 0);
    await vi.waitFor(async () => expect(await keysOf(id)).toEqual(["sk-two-2222"]));
    expect(await world.find(id)).toMatchObject({ status: 1, keyCount: 2 });
    expect(JSON.parse((await world.find(id)).otherInfo)).toMatchObject({
      disabled_keys: [{ key_hint: "1111", status_reason: "refused" }],
    });
    expect(world.heard.autoDisabled).toEqual([]);

    world.clock.skewMs = 10_000;
    report(id, 0);
    await vi.waitFor(async () => expect((await world.find(id)).status).toBe(3));
    await world.client.updateChannel({ id, input: { status: 1 } }, admin);
    expect(await keysOf(id)).toEqual(["sk-one-1111", "sk-two-2222"]);
  });

  it("takes a burst of reports on one key for one, whatever key now stands in its place", async () => {
    const { id } = await world.create({ key: "sk-one-1111,sk-two-2222,sk-three-3333" });
    for (let index = 0; index < 20; index++) report(id, 0);
    const { id: last } = await world.create({ name: "last" });
    report(last, 0);
    await vi.waitFor(async () => expect((await world.find(last)).status).toBe(3));
    await vi.waitFor(async () => expect(await keysOf(id)).toEqual(["sk-two-2222", "sk-three-3333"]));
    expect((await world.snapshot()).revision).toBe(4);
  });

  it("leaves channels alone when a report does not ask, the admin does not allow, or the option is off", async () => {
    const [spared, willing] = [await world.create({ autoBan: 0 }), await world.create()];
    report(spared.id, 0);
    report(willing.id, 0, { disable: false });
    report(99_999_999, 0);
    await world.setOption("AutomaticDisableChannelEnabled", "false");
    report(willing.id, 0);
    await world.setOption("AutomaticDisableChannelEnabled", "true");
    const { id: last } = await world.create();
    report(last, 0);
    await vi.waitFor(async () => expect((await world.find(last)).status).toBe(3));
    expect((await world.find(spared.id)).status).toBe(1);
    expect((await world.find(willing.id)).status).toBe(1);
  });

  it("answers unavailable, and in time, while MongoDB is away", async () => {
    await world.mongo.close();
    await expect(world.snapshot()).rejects.toEqual(code("unavailable"));
  });
});
