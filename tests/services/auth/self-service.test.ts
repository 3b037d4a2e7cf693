import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AuthWorld, makeUser, setUp, signIn, startAuthWorld } from "./auth-world.ts";

type TestUser = { actor: Actor };

describe("self service", () => {
  let world: AuthWorld;
  let root: TestUser;
  let admin: TestUser;

  beforeAll(async () => {
    world = await startAuthWorld();
    root = await setUp(world);
    admin = await makeUser(world, root, { username: "admin", role: 10 });
  });
  afterAll(() => world.stop());

  const set = (key: string, value: string) => world.client.setOption({ key, value }, root);
  const userDoc = (id: number) =>
    world.mongo.collection<{ _id: number; affQuota: number }>("users").findOne({ _id: id });
  const earn = (id: number, affQuota: number) =>
    world.mongo
      .collection<{ _id: number }>("users")
      .updateOne({ _id: id }, { $set: { affQuota, affHistoryQuota: affQuota, affCount: 1 } });
  const getCredits = (userId: number) => world.billing.credited.filter((credit) => credit.userId === userId);
  const outcomes = async (tries: Promise<unknown>[]) =>
    (await Promise.allSettled(tries)).map((result) =>
      result.status === "fulfilled" ? "ok" : (result.reason as { code: string }).code,
    );

  describe("check-in", () => {
    it("is refused while disabled, and reported so in the status", async () => {
      const ada = await makeUser(world, root, { username: "ada" });
      await expect(world.self.checkIn({ userId: ada.actor.userId }, ada)).rejects.toMatchObject({
        code: "check_in_disabled",
      });
      expect(await world.self.getCheckInStatus({ userId: ada.actor.userId }, ada)).toMatchObject({
        enabled: false,
        checkedInToday: false,
        day: new Date().toISOString().slice(0, 10),
        amount: 0,
      });
    });

    it("credits once for fifty concurrent requests over two replicas", async () => {
      await set("CheckInEnabled", "true");
      await set("CheckInQuota", "1000");
      await set("CheckInMaxQuota", "9000");
      const other = await world.addReplica();
      const bob = await makeUser(world, root, { username: "bob" });
      const { userId } = bob.actor;
      const tries = Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? world : other).self.checkIn({ userId }, bob),
      );
      const seen = await outcomes(tries);
      expect(seen.filter((outcome) => outcome === "ok")).toHaveLength(1);
      expect(new Set(seen)).toEqual(new Set(["ok", "check_in_done"]));
      await vi.waitFor(() => expect(getCredits(userId)).toHaveLength(1));
      const [credit] = getCredits(userId);
      expect(credit).toMatchObject({ kind: "check-in" });
      expect(credit?.reference).toBe(`check-in:${userId}:${new Date().toISOString().slice(0, 10)}`);
      expect(credit?.amount).toBeGreaterThanOrEqual(1_000);
      expect(credit?.amount).toBeLessThanOrEqual(9_000);
      expect(await world.self.getCheckInStatus({ userId }, bob)).toMatchObject({
        checkedInToday: true,
        amount: credit?.amount,
      });
    });

    it("loses no reward while billing is down", async () => {
      const carol = await makeUser(world, root, { username: "carol" });
      world.billing.goAway();
      const { amount } = await world.self.checkIn({ userId: carol.actor.userId }, carol);
      expect(getCredits(carol.actor.userId)).toHaveLength(0);
      world.billing.comeBack();
      await vi.waitFor(() => expect(getCredits(carol.actor.userId)).toMatchObject([{ amount }]), { timeout: 8_000 });
      // Its row is deleted once the response has arrived.
      const waiting = () => world.mongo.collection("credit_outbox").countDocuments();
      await vi.waitFor(async () => expect(await waiting()).toBe(0), { timeout: 8_000 });
    });

    it("is refused if there is nothing to credit, and for other users", async () => {
      const dave = await makeUser(world, root, { username: "dave" });
      await set("CheckInQuota", "0");
      await expect(world.self.checkIn({ userId: dave.actor.userId }, dave)).rejects.toMatchObject({
        code: "check_in_misconfigured",
      });
      await set("CheckInQuota", "5");
      for (const by of [admin, root])
        await expect(world.self.checkIn({ userId: dave.actor.userId }, by)).rejects.toMatchObject({
          code: "permission_denied",
        });
      await expect(world.self.checkIn({ userId: dave.actor.userId })).rejects.toMatchObject({
        code: "unauthenticated",
      });
    });
  });

  describe("invitation earnings", () => {
    const transfer = (by: TestUser, amount: number, client = world.self) =>
      client.transferEarnings({ userId: by.actor.userId, amount }, by);

    it("transfers one unit or more to the balance, and never more than available", async () => {
      const eve = await makeUser(world, root, { username: "eve" });
      await earn(eve.actor.userId, 10);
      for (const amount of [0, -5])
        await expect(transfer(eve, amount)).rejects.toMatchObject({
          code: "aff_transfer_too_small",
          params: { min: "1" },
        });
      await expect(transfer(eve, 11)).rejects.toMatchObject({
        code: "aff_quota_insufficient",
        params: { quota: "10" },
      });
      expect(await transfer(eve, 1)).toEqual({ amount: 1, affQuota: 9 });
      expect(getCredits(eve.actor.userId)).toMatchObject([{ kind: "transfer", amount: 1 }]);
      const { user } = await world.client.getUser({ id: eve.actor.userId }, eve);
      expect(user).toMatchObject({ affCount: 1, affQuota: 9, affHistoryQuota: 10 });
    });

    it("credits exactly the transferred amounts when many transfers race", async () => {
      const other = await world.addReplica();
      const frank = await makeUser(world, root, { username: "frank" });
      const { userId } = frank.actor;
      await earn(userId, 100);
      const tries = Array.from({ length: 40 }, (_, index) => transfer(frank, 7, (index % 2 ? world : other).self));
      const seen = await outcomes(tries);
      expect(seen.filter((outcome) => outcome === "ok")).toHaveLength(14);
      expect(new Set(seen)).toEqual(new Set(["ok", "aff_quota_insufficient"]));
      await vi.waitFor(() => expect(getCredits(userId)).toHaveLength(14));
      expect(getCredits(userId).reduce((sum, { amount }) => sum + amount, 0)).toBe(98);
      expect((await userDoc(userId))?.affQuota).toBe(2);
    });

    it("enforces the minimum amount, and survives a billing outage", async () => {
      const gina = await makeUser(world, root, { username: "gina" });
      await earn(gina.actor.userId, 1_000);
      await set("MinAffTransfer", "500");
      await expect(transfer(gina, 499)).rejects.toMatchObject({ params: { min: "500" } });
      world.billing.goAway();
      expect(await transfer(gina, 600)).toEqual({ amount: 600, affQuota: 400 });
      world.billing.comeBack();
      await vi.waitFor(() => expect(getCredits(gina.actor.userId)).toMatchObject([{ amount: 600 }]), {
        timeout: 8_000,
      });
    });

    it("refuses to transfer another user's earnings", async () => {
      const hal = await makeUser(world, root, { username: "hal" });
      await earn(hal.actor.userId, 1_000);
      await expect(world.self.transferEarnings({ userId: hal.actor.userId, amount: 600 }, root)).rejects.toMatchObject({
        code: "permission_denied",
      });
    });
  });

  describe("deregistration", () => {
    it("requires the user's own name if one was typed, ends the sessions, and writes an audit row", async () => {
      const ivy = await makeUser(world, root, { username: "ivy" });
      const sessionId = await signIn(world, "ivy");
      const { accessToken } = await world.client.createAccessToken({ userId: ivy.actor.userId }, ivy);
      const remove = (confirmation: string | undefined, by = ivy) =>
        world.self.deleteSelf({ userId: ivy.actor.userId, confirmation }, by);
      for (const typed of ["", "Ivy", "ivy ", "someone"])
        await expect(remove(typed)).rejects.toMatchObject({ code: "confirmation_mismatch" });
      await expect(remove("ivy", root)).rejects.toMatchObject({ code: "permission_denied" });
      await expect(world.client.resolveSession({ sessionId })).resolves.toBeDefined();
      await remove("ivy");
      await expect(world.client.resolveSession({ sessionId })).rejects.toMatchObject({ code: "unauthenticated" });
      await expect(world.client.resolveAccessToken({ accessToken })).rejects.toMatchObject({
        code: "access_token_invalid",
      });
      await expect(signIn(world, "ivy")).rejects.toMatchObject({ code: "login_failed" });
      await expect(makeUser(world, root, { username: "IVY" })).rejects.toMatchObject({ code: "username_taken" });
      const filter = { page: 1, pageSize: 10, actor: "ivy", action: "", keyword: "", startSeconds: 0, endSeconds: 0 };
      expect((await world.client.listAuditEntries(filter, root)).items).toMatchObject([{ action: "user.deregister" }]);
    });

    it("works without a typed name, as compatible clients send none, and is refused for root", async () => {
      const jan = await makeUser(world, root, { username: "jan" });
      await world.self.deleteSelf({ userId: jan.actor.userId, confirmation: undefined }, jan);
      expect((await world.client.getUser({ id: jan.actor.userId }, root)).user?.deletedAtSeconds).toBeGreaterThan(0);
      await expect(
        world.self.deleteSelf({ userId: root.actor.userId, confirmation: "root" }, root),
      ).rejects.toMatchObject({ code: "root_protected" });
    });
  });
});
