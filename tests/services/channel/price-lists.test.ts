import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { admin, type ChannelWorld, code, commoner, startChannelWorld } from "./channel-world.ts";

const PRICING = {
  success: true,
  data: [
    { model_name: "gpt-4o", quota_type: 0, model_ratio: 1.25, completion_ratio: 4 },
    { model_name: "unused", quota_type: 0, model_ratio: 1, completion_ratio: 1 },
    { model_name: "painter", quota_type: 1, model_price: 0.05 },
  ],
  group_ratio: { default: 1, vip: 0.8 },
};

describe("price list of a reseller", () => {
  let world: ChannelWorld;
  beforeAll(async () => {
    world = await startChannelWorld();
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    world.relay.listFetches.length = 0;
    world.relay.priceList = { source: "pricing", body: JSON.stringify(PRICING) };
  });
  const reseller = (about: object = {}) =>
    world.create({
      baseUrl: "https://reseller.example",
      models: "gpt-4o,gpt-4o-mini,art",
      modelMapping: '{"art":"painter"}',
      cost: JSON.stringify({ source: "reseller", factor: 0.5, group: "vip", ...about }),
    });
  const fetchList = (id: number) => world.client.getPriceList({ id, refresh: true }, admin);
  /** The cost side as relays receive it. */
  const readSide = async (id: number): Promise<unknown> => {
    const { channels } = await world.snapshot();
    return JSON.parse(channels.find(({ channel }) => channel?.id === id)?.channel?.cost ?? "");
  };

  it("is fetched, stored and sent to relays with the prices of the channel's models times the group's ratio", async () => {
    const { id } = await reseller();
    expect(await readSide(id)).toEqual({ source: "reseller", prices: {} });
    const figures = { source: "pricing", models: 3, pricedModels: 2, groups: { default: 1, vip: 0.8 }, error: "" };
    expect(await fetchList(id)).toMatchObject(figures);
    expect(world.relay.listFetches).toEqual([{ baseUrl: "https://reseller.example", proxy: "" }]);
    expect(await readSide(id)).toEqual({
      source: "reseller",
      factor: 0.4,
      prices: { "gpt-4o": { input: 2.5, output: 10 }, painter: { per_call: 0.05 } },
    });
    expect(await world.find(id)).toMatchObject({ cost: '{"source":"reseller","factor":0.5,"group":"vip"}' });
  });

  it("prices nothing for a group that the reseller does not have", async () => {
    const { id } = await reseller({ group: "closed" });
    await fetchList(id);
    expect(await readSide(id)).toEqual({ source: "reseller", prices: {} });
  });

  it("stays in force when a later one cannot be fetched or read", async () => {
    const { id } = await reseller();
    const { fetchedAtSeconds } = await fetchList(id);
    world.relay.priceList = undefined;
    await expect(fetchList(id)).rejects.toEqual(code("fetch_prices_failed"));
    const failed = await world.client.getPriceList({ id, refresh: false }, admin);
    expect(failed).toMatchObject({ fetchedAtSeconds, error: "fetch_prices_failed: HTTP 404", pricedModels: 2 });
    world.relay.priceList = { source: "pricing", body: '{"data":[{"model_name":"gpt-4o","model_ratio":-1}]}' };
    await expect(fetchList(id)).rejects.toEqual(code("catalogue_unreadable"));
    const wrong = await world.client.getPriceList({ id, refresh: false }, admin);
    expect(wrong.error).toContain("data[0].model_ratio");
    expect(await readSide(id)).toMatchObject({ factor: 0.4, prices: { "gpt-4o": { input: 2.5 } } });
  });

  it("is fetched without a request", async () => {
    const { id } = await reseller({ factor: 1 });
    const findRun = () => world.mongo.collection<{ _id: string }>("channel_runs").findOne({ _id: "prices" });
    world.wake();
    await vi.waitFor(async () => expect(await findRun()).not.toBeNull(), { timeout: 10_000 });
    world.clock.aheadMs += 600_000;
    await vi.waitFor(async () => expect(await readSide(id)).toMatchObject({ factor: 0.8 }), { timeout: 20_000 });
  }, 30_000);

  it("leaves channels of an earlier version, which have no cost side, usable", async () => {
    const { id } = await world.create();
    await world.mongo.collection<{ _id: number }>("channels").updateOne({ _id: id }, { $unset: { cost: "" } });
    expect(await world.find(id)).toMatchObject({ cost: "" });
    expect((await world.snapshot()).channels.find(({ channel }) => channel?.id === id)?.channel?.cost).toBe("");
    await world.client.updateChannel({ id, input: { weight: 3 } }, admin);
    expect(await world.find(id)).toMatchObject({ cost: "", weight: 3 });
  });

  it("is for administrators", async () => {
    const { id } = await world.create();
    await expect(world.client.getPriceList({ id, refresh: false }, commoner)).rejects.toEqual(
      code("permission_denied"),
    );
    await expect(world.client.getPriceList({ id: 99_999, refresh: false }, admin)).rejects.toEqual(
      code("channel_not_found"),
    );
    expect(await world.client.getPriceList({ id, refresh: false }, admin)).toMatchObject({
      fetchedAtSeconds: 0,
      models: 0,
      error: "",
    });
  });

  it("is refused with the place of what is wrong in the cost side", async () => {
    const create = (cost: string) => world.client.createChannel({ input: { ...FORM, cost }, copyFrom: 0 }, admin);
    await expect(create('{"source":"reseller","group":1}')).rejects.toEqual(code("channel_cost_invalid"));
    await expect(create("[]")).rejects.toEqual(code("channel_json_invalid"));
    const wrong = create('{"source":"table","prices":{"gpt-4o":{"input":-1}}}');
    await expect(wrong).rejects.toMatchObject({ params: { path: 'prices["gpt-4o"].input' } });
  });
});

const FORM = { name: "main", type: 1, key: "sk-main-1234", models: "gpt-4o" };
