import { auditRecorded } from "@turnpike/shared/events/auth";
import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AuthWorld, makeUser, setUp, startAuthWorld } from "./auth-world.ts";

const ALL = { page: 1, pageSize: 100, actor: "", action: "", keyword: "", startSeconds: 0, endSeconds: 0 };

describe("the audit", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  let admin: { actor: Actor };

  beforeAll(async () => {
    world = await startAuthWorld();
    root = await setUp(world);
    admin = await makeUser(world, root, { username: "admin", role: 10 });
  });
  afterAll(() => world.stop());

  const list = (filter: Partial<typeof ALL> = {}, by = root) =>
    world.client.listAuditEntries({ ...ALL, ...filter }, by);

  it("tells who did what to whom, before and after, and from where", async () => {
    const { actor } = await makeUser(world, admin, { username: "target" });
    await world.client.manageUser({ id: actor.userId, action: "disable" }, admin);
    const { items } = await list({ actor: "admin" });
    expect(items.map(({ action }) => action)).toEqual(["user.disable", "user.create"]);
    expect(items[0]).toMatchObject({
      actorId: admin.actor.userId,
      actorName: "admin",
      target: `user:${actor.userId}`,
      address: "192.0.2.7",
    });
    expect(JSON.parse(items[0]?.beforeJson ?? "")).toMatchObject({ username: "target", status: 1 });
    expect(JSON.parse(items[0]?.afterJson ?? "")).toMatchObject({ username: "target", status: 2 });
  });

  it("has no row for an action that was refused", async () => {
    const { total } = await list();
    await expect(world.client.manageUser({ id: root.actor.userId, action: "delete" }, root)).rejects.toBeDefined();
    await expect(world.client.setOption({ key: "RetryTimes", value: "x" }, root)).rejects.toBeDefined();
    expect((await list()).total).toBe(total);
  });

  it("holds no password and no password hash", async () => {
    const { actor } = await makeUser(world, admin, { username: "secretive", password: "very secret pw" });
    await world.client.updateUser(
      { id: actor.userId, username: undefined, displayName: undefined, group: undefined, password: "other secret pw" },
      admin,
    );
    const text = JSON.stringify(await world.mongo.collection("audit").find().toArray());
    expect(text).toContain("user.update_with_password");
    expect(text).not.toMatch(/secret pw|argon2/);
  });

  it("keeps each notice of another service once, however many replicas listen", async () => {
    await world.addReplica();
    const notice = { actorId: 7, actorName: "carol", action: "channel.create", target: "channel:3", before: "" };
    for (let index = 0; index < 10; index++)
      world.bus.notify(auditRecorded, {
        ...notice,
        after: `{"n":${index}}`,
        address: "198.51.100.1",
        atSeconds: 1_000,
      });
    await vi.waitFor(async () => expect((await list({ actor: "carol" })).total).toBe(10));
    expect((await list({ actor: "carol" })).items[0]).toMatchObject({ createdAtSeconds: 1_000, target: "channel:3" });
  });

  it("is found by action, keyword and time", async () => {
    await world.client.setOption({ key: "Notice", value: "a (very) special text" }, root);
    expect((await list({ keyword: "(VERY) spec" })).items).toMatchObject([
      { action: "option.set", target: "option:Notice" },
    ]);
    expect((await list({ action: "option.set" })).total).toBe(1);
    expect((await list({ endSeconds: 1_000 })).items.every(({ createdAtSeconds }) => createdAtSeconds <= 1_000)).toBe(
      true,
    );
    expect((await list({ startSeconds: Math.floor(Date.now() / 1000) + 60 })).total).toBe(0);
  });

  it("is for admins", async () => {
    const user = await makeUser(world, root, { username: "nosy" });
    await expect(list({}, user)).rejects.toMatchObject({ code: "permission_denied" });
    await expect(list({}, admin)).resolves.toBeDefined();
  });
});
