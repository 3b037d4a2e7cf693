import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuthWorld, code, makeUser, setUp, startAuthWorld } from "./auth-world.ts";

const ANY = { name: "", key: "", startSeconds: 0, endSeconds: 0, page: 1, pageSize: 50 };

describe("the history of prices", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  let admin: { actor: Actor };
  let user: { actor: Actor };
  const set = (key: string, value: object | string) =>
    world.client.setOption({ key, value: typeof value === "string" ? value : JSON.stringify(value) }, admin);
  const changes = async (filter: Partial<typeof ANY> = {}) =>
    (await world.prices.listPriceChanges({ ...ANY, ...filter }, admin)).items.map(({ key, name, before, after }) => [
      key,
      name,
      before,
      after,
    ]);

  beforeAll(async () => {
    world = await startAuthWorld();
    root = await setUp(world);
    admin = await makeUser(world, root, { username: "admin", role: 10 });
    user = await makeUser(world, root, { username: "user" });
    await set("ModelRatio", { "gpt-4o": 1.25, "o3-mini": 0.55 });
  });
  afterAll(() => world.stop());

  it("holds each figure that an admin made another one, newest first, with the name and the moment", async () => {
    const known = (await world.prices.listPriceChanges(ANY, admin)).total;
    await set("ModelRatio", { "gpt-4o": 2, "gpt-5": 0.625 });
    await set("fallback_single_price", "0.5");
    const { items, total } = await world.prices.listPriceChanges({ ...ANY, pageSize: 4 }, admin);
    expect(total).toBe(known + 4);
    expect(items.map(({ key, name, before, after }) => [key, name, before, after])).toEqual([
      ["fallback_single_price", "", undefined, "0.5"],
      ["ModelRatio", "o3-mini", "0.55", undefined],
      ["ModelRatio", "gpt-5", undefined, "0.625"],
      ["ModelRatio", "gpt-4o", "1.25", "2"],
    ]);
    expect(items[0]).toMatchObject({ actorName: "admin", actorId: admin.actor.userId });
    expect(Math.abs((items[0]?.createdAtSeconds ?? 0) - Date.now() / 1000)).toBeLessThan(60);
  });

  it("is found by a part of a name, by option and by time", async () => {
    expect(await changes({ name: "O3-MI", pageSize: 1 })).toEqual([["ModelRatio", "o3-mini", "0.55", undefined]]);
    expect(await changes({ key: "fallback_single_price" })).toHaveLength(1);
    expect(await changes({ endSeconds: 5 })).toEqual([]);
  });

  it("knows what going back to the built-in table changed", async () => {
    await world.client.resetModelRatio({}, admin);
    expect(await changes({ name: "gpt-5", key: "ModelRatio" })).toContainEqual([
      "ModelRatio",
      "gpt-5",
      "0.625",
      undefined,
    ]);
  });

  it("has nothing of changes that were refused, nor of other options", async () => {
    const { total } = await world.prices.listPriceChanges(ANY, admin);
    await expect(set("ModelRatio", "{broken")).rejects.toEqual(code("option_invalid"));
    await set("SystemName", "Toll");
    expect((await world.prices.listPriceChanges(ANY, admin)).total).toBe(total);
  });

  it("is for admins", async () => {
    await expect(world.prices.listPriceChanges(ANY, user)).rejects.toEqual(code("permission_denied"));
  });
});
