import { createAuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { connectNats } from "@turnpike/shared/events/bus";
import { inTransaction } from "@turnpike/shared/mongo/mongo";
import { type AuthWorld, log, makeUser, setUp, startAuthWorld } from "./auth-world.ts";

/** A row passes two databases and a stream, on a machine with other load. */
const SOON = { timeout: 25_000 };
const ALL = { page: 1, pageSize: 100, actor: "", action: "", keyword: "", startSeconds: 0, endSeconds: 0 };

describe("audit log", () => {
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

  it("records actor, action, target, old and new values, and address", async () => {
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

  it("records that an admin created an access token, but not the token", async () => {
    const { accessToken } = await world.client.createAccessToken({ userId: admin.actor.userId }, admin);
    const { items } = await list({ action: "user.access_token" });
    expect(items).toMatchObject([{ actorName: "admin", target: `user:${admin.actor.userId}` }]);
    expect(JSON.stringify(items)).not.toContain(accessToken);
  });

  it("has no row for a refused action", async () => {
    const { total } = await list();
    await expect(world.client.manageUser({ id: root.actor.userId, action: "delete" }, root)).rejects.toBeDefined();
    await expect(world.client.setOption({ key: "RetryTimes", value: "x" }, root)).rejects.toBeDefined();
    expect((await list()).total).toBe(total);
  });

  it("contains no password and no password hash", async () => {
    const { actor } = await makeUser(world, admin, { username: "secretive", password: "very secret pw" });
    await world.client.updateUser(
      { id: actor.userId, username: undefined, displayName: undefined, group: undefined, password: "other secret pw" },
      admin,
    );
    const text = JSON.stringify(await world.mongo.collection("audit").find().toArray());
    expect(text).toContain("user.update_with_password");
    expect(text).not.toMatch(/secret pw|argon2/);
  });

  const getOutbox = (connection = world.mongo) =>
    createAuditOutbox({
      mongo: connection,
      nats: world.nats,
      namespace: world.backing.namespace,
      source: "channel",
      log,
    });
  const carol: Actor = { userId: 7, username: "carol", role: 10, address: "198.51.100.1" };
  const action = (index: number) => ({
    action: "channel.create",
    target: `channel:${index}`,
    before: "",
    after: `{"n":${index}}`,
  });

  it("stores each row of another service once, for any number of replicas and redeliveries", async () => {
    await world.addReplica();
    const outbox = getOutbox();
    // A name of its own for each attempt: what a slow first one stored is not counted.
    const username = `carol-${Date.now()}`;
    await Promise.all(Array.from({ length: 20 }, (_, index) => outbox.record({ ...carol, username }, action(index))));
    await vi.waitFor(async () => expect((await list({ actor: username })).total).toBe(20), SOON);
    await vi.waitFor(async () => expect(await world.mongo.collection("audit_outbox").countDocuments()).toBe(0), SOON);
    expect((await list({ actor: username, keyword: "channel:3" })).items[0]).toMatchObject({
      actorId: 7,
      address: "198.51.100.1",
      afterJson: '{"n":3}',
    });
    const row = { ...action(99), actorId: 7, actorName: "carol", address: "", atSeconds: 1_000 };
    for (let repeat = 0; repeat < 3; repeat++) await world.auth.storeAction(row, "the same");
    expect((await list({ actor: "7", keyword: "channel:99" })).total).toBe(1);
    await outbox.stop();
  }, 60_000);

  it("stores every row written in the transaction of a change, and none of a failed change", async () => {
    const outbox = getOutbox();
    const dave: Actor = { ...carol, userId: 8, username: "dave" };
    await inTransaction(world.mongo, (session) => outbox.recordWithin(session, dave, action(1)));
    await expect(
      inTransaction(world.mongo, async (session) => {
        await outbox.recordWithin(session, dave, action(2));
        throw new Error("the change failed");
      }),
    ).rejects.toThrow("the change failed");
    // Rows left by a dead process are sent by the next one.
    outbox.start();
    await vi.waitFor(async () => expect((await list({ actor: "dave" })).total).toBe(1), SOON);
    await outbox.stop();
  });

  it("waits in the sender's database while NATS is down", async () => {
    const erin: Actor = { ...carol, userId: 9, username: "erin" };
    const nats = await connectNats({ url: world.backing.natsUrl, name: "cut off", log });
    const { namespace } = world.backing;
    const cutOff = createAuditOutbox({ mongo: world.mongo, nats, namespace, source: "channel", log });
    await nats.close();
    await cutOff.record(erin, action(1));
    await cutOff.stop();
    expect(await world.mongo.collection("audit_outbox").countDocuments()).toBe(1);
    const outbox = getOutbox();
    outbox.start();
    await vi.waitFor(async () => expect((await list({ actor: "erin" })).total).toBe(1), SOON);
    await outbox.stop();
  });

  it("is searchable by action, keyword and time", async () => {
    await world.client.setOption({ key: "Notice", value: "a (very) special text" }, root);
    expect((await list({ keyword: "(VERY) spec" })).items).toMatchObject([
      { action: "option.set", target: "option:Notice" },
    ]);
    expect((await list({ action: "option.set" })).total).toBe(1);
    expect((await list({ action: "option." })).total).toBe(1);
    expect((await list({ action: "user." })).items.every((row) => row.action.startsWith("user."))).toBe(true);
    expect((await list({ action: "use." })).total).toBe(0);
    expect((await list({ actor: String(root.actor.userId) })).items.every((row) => row.actorName === "root")).toBe(
      true,
    );
    expect((await list({ endSeconds: 1_000 })).total).toBe(1);
    expect((await list({ endSeconds: 1_000 })).items.every(({ createdAtSeconds }) => createdAtSeconds <= 1_000)).toBe(
      true,
    );
    expect((await list({ startSeconds: Math.floor(Date.now() / 1000) + 60 })).total).toBe(0);
  });

  it("is available to admins only", async () => {
    const user = await makeUser(world, root, { username: "nosy" });
    await expect(list({}, user)).rejects.toMatchObject({ code: "permission_denied" });
    await expect(list({}, admin)).resolves.toBeDefined();
  });
});
