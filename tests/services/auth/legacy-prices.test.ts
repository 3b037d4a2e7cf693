import { OPTIONS } from "@turnpike/contract/options/option-definitions";
import { optionsChanged } from "@turnpike/shared/events/auth";
import { pricesChanged } from "@turnpike/shared/events/billing";
import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AuthWorld, code, makeUser, setUp, startAuthWorld } from "./auth-world.ts";

describe("prices as options of auth, for services of earlier versions", () => {
  let world: AuthWorld;
  let admin: { actor: Actor };
  const notices: { keys: string[] }[] = [];
  const getValue = async (key: string): Promise<string | undefined> =>
    (await world.client.getOptionsSnapshot({})).options.find((option) => option.key === key)?.value;
  const stored = () => world.mongo.collection<{ _id: string }>("options").findOne({ _id: "ModelRatio" });

  beforeAll(async () => {
    world = await startAuthWorld();
    admin = await makeUser(world, await setUp(world), { username: "admin", role: 10 });
    world.bus.listen(optionsChanged, (notice) => void notices.push(notice));
  });
  afterAll(() => world.stop());

  it("writes prices to billing's price book and does not store them", async () => {
    await world.client.setOption({ key: "ModelRatio", value: '{"gpt-4o":2}' }, admin);
    expect(world.billing.prices.values.get("ModelRatio")).toBe('{"gpt-4o":2}');
    expect(world.billing.prices.changed.at(-1)).toEqual({ actor: "admin", key: "ModelRatio" });
    expect(await stored()).toBeNull();
    await world.client.setOption({ key: "SystemName", value: "Mine" }, admin);
    expect(world.billing.prices.values.has("SystemName")).toBe(false);
  });

  it("reads prices from billing's price book, also in lists for administrators", async () => {
    await vi.waitFor(async () => expect(await getValue("ModelRatio")).toBe('{"gpt-4o":2}'));
    expect((await world.client.listOptions({}, admin)).options).toContainEqual({
      key: "ModelRatio",
      value: '{"gpt-4o":2}',
    });
    expect(await getValue("SystemName")).toBe("Mine");
  });

  it("publishes changed options when billing's price book changes, without a name that billing would import", async () => {
    notices.length = 0;
    world.billing.prices.values.set("ModelPrice", '{"flat":0.5}');
    world.billing.prices.changed.push({ actor: "another door", key: "ModelPrice" });
    world.bus.notify(pricesChanged, { revision: 1 + world.billing.prices.changed.length, keys: ["ModelPrice"] });
    await vi.waitFor(() => expect(notices.map(({ keys }) => keys)).toEqual([[]]));
    expect(await getValue("ModelPrice")).toBe('{"flat":0.5}');
  });

  it("returns to the built-in table on a reset of the model ratios", async () => {
    await world.client.resetModelRatio({}, admin);
    await vi.waitFor(async () => expect(await getValue("ModelRatio")).toBe(OPTIONS.ModelRatio.default));
  });

  it("returns billing's price history", async () => {
    const filter = { name: "gpt-4o", key: "", startSeconds: 0, endSeconds: 0, page: 1, pageSize: 50 };
    const { items, total } = await world.prices.listPriceChanges(filter, admin);
    expect(total).toBe(1);
    expect(items).toMatchObject([{ actorName: "admin", key: "ModelRatio", name: "gpt-4o", after: "2" }]);
    await expect(world.prices.listPriceChanges(filter)).rejects.toEqual(code("unauthenticated"));
  });

  it("lists prices stored by an earlier version for billing only", async () => {
    await world.mongo
      .collection<{ _id: string; value: string }>("options")
      .insertMany([{ _id: "CacheRatio", value: '{"a":1}' }]);
    const { options } = await world.client.listFormerPriceOptions({});
    expect(options).toEqual([{ key: "CacheRatio", value: '{"a":1}' }]);
    await expect(world.client.listFormerPriceOptions({}, admin)).rejects.toEqual(code("permission_denied"));
  });
});
