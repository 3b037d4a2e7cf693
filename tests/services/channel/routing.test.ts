import { channelObserved } from "@turnpike/shared/events/relay";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { admin, type ChannelWorld, code, startChannelWorld } from "./channel-world.ts";

describe("routing table over gRPC", () => {
  let world: ChannelWorld;
  beforeEach(async () => {
    world = await startChannelWorld();
  });
  afterEach(() => world.stop());

  const report = (
    channelId: number,
    key = "sk-main-1234",
    over: { disable?: boolean; isWhole?: boolean; reason?: string } = {},
  ): void =>
    world.bus.notify(channelObserved, {
      channelId,
      keyHash: world.hash(key),
      disable: true,
      reason: "refused",
      status: 401,
      ...over,
    });
  const reportsAreHandled = (count: number): Promise<void> =>
    vi.waitFor(() => expect(world.reportsHandled()).toBe(count));
  /** The keys that relays currently receive for a channel. */
  const getKeys = async (id: number): Promise<readonly string[]> =>
    (await world.snapshot()).channels.find(({ channel }) => channel?.id === id)?.keys ?? [];

  it("contains enabled channels with their keys, and a revision that grows with each change", async () => {
    expect(await world.snapshot()).toEqual({ revision: 0, channels: [], idle: [] });
    const a = await world.create({ key: "sk-one-1111,sk-two-2222" });
    const b = await world.create({ status: 2, modelPrefix: "b/" });
    const first = await world.snapshot();
    expect(first).toMatchObject({
      revision: 2,
      channels: [{ channel: { id: a.id }, keys: ["sk-one-1111", "sk-two-2222"] }],
      idle: [{ id: b.id, models: b.models.split(",").map((model) => `b/${model}`) }],
    });
    await world.client.updateChannel({ id: b.id, input: { status: 1 } }, admin);
    await world.client.updateChannel({ id: b.id, input: { status: 1 } }, admin);
    await world.client.deleteChannel({ id: a.id }, admin);
    const then = await world.snapshot();
    expect(then.revision).toBe(4);
    expect(then.channels.map(({ channel }) => channel?.id)).toEqual([b.id]);
    expect(then.idle).toEqual([]);
  });

  it("notifies relays of each change at once, with its revision", async () => {
    const { id } = await world.create();
    await world.client.updateChannel({ id, input: { weight: 9 } }, admin);
    await vi.waitFor(() =>
      expect(world.heard.changed).toEqual([
        { revision: 1, channelId: id },
        { revision: 2, channelId: id },
      ]),
    );
  });

  it("gives each concurrent change its own revision", async () => {
    await Promise.all(Array.from({ length: 10 }, () => world.create()));
    const { revision, channels } = await world.snapshot();
    expect([revision, channels.length]).toEqual([10, 10]);
    await vi.waitFor(() => expect(new Set(world.heard.changed.map((notice) => notice.revision)).size).toBe(10));
  });

  it("leaves out a channel whose keys it cannot decrypt, but not the others", async () => {
    const [a, b] = [await world.create(), await world.create()];
    await world.mongo.collection("channels").updateOne({ _id: a.id as never }, { $set: { "keys.0.box": "00.AA.AA" } });
    expect((await world.snapshot()).channels.map(({ channel }) => channel?.id)).toEqual([b.id]);
  });

  it("lists the models of each group, with prefixed names for channels with a prefix", async () => {
    await world.create({ group: "default,vip", models: "b,a" });
    await world.create({ group: "vip", models: "a", modelPrefix: "eu/" });
    await world.create({ group: "vip", models: "hidden", status: 2 });
    expect((await world.client.listAbilities({})).abilities).toEqual([
      { group: "default", models: ["a", "b"] },
      { group: "vip", models: ["a", "b", "eu/a"] },
    ]);
  });

  it("disables a channel whose only key a relay reported as failed, publishes it, and can be re-enabled by hand", async () => {
    const { id } = await world.create();
    report(id, "sk-main-1234", { reason: "Incorrect API key sk-main-1234" });
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
    expect(await getKeys(id)).toEqual(["sk-main-1234"]);
  });

  it("disables one of several keys, and the channel only with the last key", async () => {
    const { id } = await world.create({ key: "sk-one-1111,sk-two-2222" });
    report(id, "sk-one-1111");
    await vi.waitFor(async () => expect(await getKeys(id)).toEqual(["sk-two-2222"]));
    expect(await world.find(id)).toMatchObject({ status: 1, keyCount: 2 });
    expect(JSON.parse((await world.find(id)).otherInfo)).toMatchObject({
      disabled_keys: [{ key_hint: "1111", status_reason: "refused" }],
    });
    expect(world.heard.autoDisabled).toEqual([]);

    report(id, "sk-two-2222");
    await vi.waitFor(async () => expect((await world.find(id)).status).toBe(3));
    await world.client.updateChannel({ id, input: { status: 1 } }, admin);
    expect(await getKeys(id)).toEqual(["sk-one-1111", "sk-two-2222"]);
  });

  it("disables a channel that fails with any of its keys, and re-enables all keys with it", async () => {
    const { id } = await world.create({ key: "sk-one-1111,sk-two-2222" });
    report(id, "sk-one-1111", { isWhole: true, reason: "HTTP 500" });
    await vi.waitFor(async () => expect((await world.find(id)).status).toBe(3));
    await vi.waitFor(() => expect(world.heard.autoDisabled).toMatchObject([{ channelId: id, reason: "HTTP 500" }]));
    await world.client.updateChannel({ id, input: { status: 1 } }, admin);
    expect(await getKeys(id)).toEqual(["sk-one-1111", "sk-two-2222"]);
  });

  it("disables only the failed key of three for ten concurrent reports", async () => {
    const { id } = await world.create({ key: "sk-one-1111,sk-two-2222,sk-three-3333" });
    for (let index = 0; index < 10; index++) report(id, "sk-one-1111");
    await reportsAreHandled(10);
    expect(await getKeys(id)).toEqual(["sk-two-2222", "sk-three-3333"]);
    expect(await world.find(id)).toMatchObject({ status: 1 });
    expect((await world.snapshot()).revision).toBe(2);
  });

  it("changes nothing on a report for a disabled or deleted key", async () => {
    const { id } = await world.create({ key: "sk-one-1111,sk-two-2222,sk-three-3333" });
    report(id, "sk-one-1111");
    await reportsAreHandled(1);
    report(id, "sk-one-1111");
    await reportsAreHandled(2);
    expect(await getKeys(id)).toEqual(["sk-two-2222", "sk-three-3333"]);

    await world.client.updateChannel({ id, input: { key: "sk-new-4444,sk-two-2222" } }, admin);
    for (const removed of ["sk-one-1111", "sk-three-3333"]) report(id, removed);
    await reportsAreHandled(4);
    expect(await getKeys(id)).toEqual(["sk-new-4444", "sk-two-2222"]);
    expect((await world.snapshot()).revision).toBe(3);
  });

  it("does not disable channels if the report does not request it, the administrator does not allow it, or the option is off", async () => {
    const [spared, willing] = [await world.create({ autoBan: 0 }), await world.create()];
    report(spared.id);
    report(willing.id, "sk-main-1234", { disable: false });
    report(99_999_999);
    await reportsAreHandled(3);
    await world.setOption("AutomaticDisableChannelEnabled", "false");
    report(willing.id);
    await reportsAreHandled(4);
    expect((await world.find(spared.id)).status).toBe(1);
    expect((await world.find(willing.id)).status).toBe(1);
  });

  it("responds unavailable, in time, while MongoDB is down", async () => {
    await world.mongo.close();
    await expect(world.snapshot()).rejects.toEqual(code("unavailable"));
  });
});
