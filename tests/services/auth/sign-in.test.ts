import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor } from "@turnpike/shared/grpc/context";
import { type AuthWorld, makeUser, PASSWORD, setUp, signIn, startAuthWorld } from "./auth-world.ts";

describe("sign-in", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  beforeAll(async () => {
    world = await startAuthWorld();
    root = await setUp(world);
  });
  afterAll(() => world.stop());

  const login = (username: string, password: string, address = "") =>
    world.client.login({ username, password, address, userAgent: "" });
  const isAlive = (sessionId: string): Promise<boolean> =>
    world.client.resolveSession({ sessionId }).then(
      () => true,
      (error: { code: string }) => (error.code === "unauthenticated" ? false : Promise.reject(error)),
    );

  it("accepts the user name in any case, and the e-mail address", async () => {
    const { actor } = await makeUser(world, root, { username: "Ada" });
    await world.mongo
      .collection<{ _id: number }>("users")
      .updateOne({ _id: actor.userId }, { $set: { email: "Ada@Example.com", emailLower: "ada@example.com" } });
    for (const name of ["ada", " ADA ", "ada@example.COM"])
      expect((await login(name, PASSWORD)).user).toMatchObject({ id: actor.userId, username: "Ada" });
  });

  it("sends the same response for every wrong combination", async () => {
    const banned = await makeUser(world, root, { username: "banned" });
    await world.client.manageUser({ id: banned.actor.userId, action: "disable" }, root);
    const removed = await makeUser(world, root, { username: "gone" });
    await world.client.manageUser({ id: removed.actor.userId, action: "delete" }, root);
    for (const [name, password] of [
      ["root", "wrong password"],
      ["nobody", PASSWORD],
      ["banned", PASSWORD],
      ["gone", PASSWORD],
      ["root", "x".repeat(1_000)],
      ["$where", PASSWORD],
    ] as const)
      await expect(login(name, password)).rejects.toMatchObject({ code: "login_failed", params: {} });
    await expect(login("", "")).rejects.toMatchObject({ code: "credentials_required" });
  });

  it("stores neither session ids nor tokens nor passwords in clear", async () => {
    const sessionId = await signIn(world, "root");
    const { accessToken } = await world.client.createAccessToken({ userId: root.actor.userId }, root);
    const stored = JSON.stringify(await world.mongo.collection("users").find().toArray());
    const keys = await world.redis.keys("*");
    expect(stored).not.toContain(PASSWORD);
    expect(stored).not.toContain(accessToken);
    expect(keys.join()).not.toContain(sessionId);
    expect(stored).toContain("$argon2id$");
  });

  it("is closed by the option, for every user", async () => {
    await world.client.setOption({ key: "PasswordLoginEnabled", value: "false" }, root);
    await expect(login("root", PASSWORD)).rejects.toMatchObject({ code: "password_login_disabled" });
    await world.client.setOption({ key: "PasswordLoginEnabled", value: "true" }, root);
    await expect(login("root", PASSWORD)).resolves.toBeDefined();
  });

  it("opens a session of 30 days that ends at sign-out", async () => {
    const { sessionId, expiresAtSeconds, user } = await login("root", PASSWORD);
    expect(expiresAtSeconds - Date.now() / 1000).toBeGreaterThan(30 * 86_400 - 60);
    expect(user).toMatchObject({ username: "root", role: 100 });
    expect(await isAlive(sessionId)).toBe(true);
    await world.client.logout({ sessionId });
    expect(await isAlive(sessionId)).toBe(false);
    await expect(world.client.logout({ sessionId })).resolves.toEqual({});
    expect(await isAlive("")).toBe(false);
  });

  it("extends the session's 30 days on use", async () => {
    const sessionId = await signIn(world, "root");
    const keys = await world.redis.keys(`${world.backing.namespace}:session:*`);
    const bare = keys.map((key) => key.slice(world.backing.namespace.length + 1));
    for (const key of bare) {
      const record = JSON.parse((await world.redis.get(key)) ?? "{}") as { seenAtSeconds: number };
      await world.redis.set(key, JSON.stringify({ ...record, seenAtSeconds: record.seenAtSeconds - 7_200 }), "EX", 60);
    }
    expect(await isAlive(sessionId)).toBe(true);
    const lives = await Promise.all(bare.map((key) => world.redis.ttl(key)));
    expect(Math.max(...lives)).toBeGreaterThan(29 * 86_400);
  });

  it.each([
    ["a ban", (id: number) => world.client.manageUser({ id, action: "disable" }, root)],
    ["a promotion", (id: number) => world.client.manageUser({ id, action: "promote" }, root)],
    ["deregistration", (id: number) => world.client.manageUser({ id, action: "delete" }, root)],
    [
      "a password set by an admin",
      (id: number) =>
        world.client.updateUser(
          { id, password: "another one", username: undefined, displayName: undefined, group: undefined },
          root,
        ),
    ],
  ])("ends all sessions with %s, at once on every replica", async (name, act) => {
    const username = `end${name.length}`;
    const { actor } = await makeUser(world, root, { username });
    const sessionIds = [await signIn(world, username), await signIn(world, username)];
    const other = await world.addReplica();
    await act(actor.userId);
    for (const sessionId of sessionIds)
      await expect(other.client.resolveSession({ sessionId })).rejects.toMatchObject({ code: "unauthenticated" });
  });

  it("does not restore ended sessions when a ban is lifted", async () => {
    const { actor } = await makeUser(world, root, { username: "lifted" });
    const sessionId = await signIn(world, "lifted");
    await world.client.manageUser({ id: actor.userId, action: "disable" }, root);
    await world.client.manageUser({ id: actor.userId, action: "enable" }, root);
    expect(await isAlive(sessionId)).toBe(false);
    expect(await isAlive(await signIn(world, "lifted"))).toBe(true);
  });

  it("keeps the session in which a password is changed, and ends the others", async () => {
    const self = await makeUser(world, root, { username: "changer" });
    const [here, elsewhere] = [await signIn(world, "changer"), await signIn(world, "changer")];
    const edit = { id: self.actor.userId, username: undefined, displayName: undefined, settingJson: undefined };
    const change = (originalPassword: string, password: string) =>
      world.client.updateSelf({ ...edit, originalPassword, password, sessionId: here }, self);
    await expect(change("not the one", "new password")).rejects.toMatchObject({ code: "original_password_wrong" });
    expect((await world.client.resolveSession({ sessionId: here })).user?.mustChangePassword).toBe(true);
    expect((await change(PASSWORD, "new password")).user?.mustChangePassword).toBe(false);
    expect([await isAlive(here), await isAlive(elsewhere)]).toEqual([true, false]);
    await change("new password", "newer password");
    expect(await isAlive(here)).toBe(true);
    await expect(login("changer", PASSWORD)).rejects.toMatchObject({ code: "login_failed" });
  });

  it("resolves a system access token until it is replaced or its user is banned", async () => {
    const self = await makeUser(world, root, { username: "scripted" });
    const id = self.actor.userId;
    const make = async () => (await world.client.createAccessToken({ userId: id }, self)).accessToken;
    const resolve = (accessToken: string) => world.client.resolveAccessToken({ accessToken });
    const first = await make();
    expect(first).toHaveLength(32);
    expect((await resolve(`Bearer ${first}`)).user?.id).toBe(id);
    const second = await make();
    await expect(resolve(first)).rejects.toMatchObject({ code: "access_token_invalid" });
    expect((await resolve(second)).user?.id).toBe(id);
    await world.client.manageUser({ id, action: "disable" }, root);
    await expect(resolve(second)).rejects.toMatchObject({ code: "access_token_invalid" });
    await expect(resolve("")).rejects.toMatchObject({ code: "access_token_invalid" });
    await expect(world.client.createAccessToken({ userId: id }, root)).rejects.toMatchObject({
      code: "permission_denied",
    });
  });
});
