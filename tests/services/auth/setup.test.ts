import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type AuthWorld, PASSWORD, setUp, signIn, startAuthWorld } from "./auth-world.ts";

const form = (username: string) => ({
  username,
  password: PASSWORD,
  confirmPassword: PASSWORD,
  selfUseModeEnabled: true,
  demoSiteEnabled: false,
});

describe("first-run setup", () => {
  let world: AuthWorld;
  beforeEach(async () => {
    world = await startAuthWorld();
  });
  afterEach(() => world.stop());

  it("creates root, stores the mode and opens root's account", async () => {
    expect(await world.client.getSetup({})).toEqual({ done: false, rootExists: false });
    const { rootUserId } = await world.client.runSetup(form("Root"));
    expect(await world.client.getSetup({})).toEqual({ done: true, rootExists: true });
    expect(await world.client.getUser({ id: rootUserId })).toMatchObject({
      user: { username: "Root", displayName: "Root User", role: 100, status: 1, mustChangePassword: false },
    });
    expect(world.billing.opened).toMatchObject([{ userId: rootUserId, credit: 100_000_000, kind: "gift" }]);
    const { options, revision } = await world.client.getOptionsSnapshot({});
    expect(options).toContainEqual({ key: "SelfUseModeEnabled", value: "true" });
    expect(revision).toBe(1);
  });

  it("runs once, however many concurrent requests reach two replicas", async () => {
    const other = await world.addReplica();
    const tries = Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? world : other).client.runSetup(form(`root${index}`)).then(
        () => "done",
        (error: { code: string }) => error.code,
      ),
    );
    const outcomes = await Promise.all(tries);
    expect(outcomes.toSorted()).toEqual(["done", ...Array.from({ length: 7 }, () => "setup_done")]);
    expect(
      (await world.client.listUsers({ page: 1, pageSize: 100, keyword: "", group: "", role: 0, status: 0, ids: [] }))
        .total,
    ).toBe(1);
  });

  it("refuses an invalid form and stays open", async () => {
    await expect(world.client.runSetup({ ...form("root"), confirmPassword: "something else" })).rejects.toMatchObject({
      code: "passwords_differ",
    });
    await expect(world.client.runSetup(form("  "))).rejects.toMatchObject({ code: "username_required" });
    expect(await world.client.getSetup({})).toEqual({ done: false, rootExists: false });
  });

  it("opens the account later if billing is down", async () => {
    world.billing.goAway();
    const root = await setUp(world);
    expect(world.billing.opened).toEqual([]);
    world.billing.comeBack();
    await vi.waitFor(() => expect(world.billing.opened).toMatchObject([{ userId: root.actor.userId }]), 10_000);
    await vi.waitFor(async () => expect(await world.mongo.collection("account_openings").countDocuments()).toBe(0));
  });

  it("opens the account at once when billing needs it, for services only", async () => {
    world.billing.goAway();
    const root = await setUp(world);
    const { userId } = root.actor;
    world.billing.comeBack();
    await world.client.openAccount({ userId });
    expect(world.billing.opened).toMatchObject([{ userId }]);
    await world.client.openAccount({ userId: 777 });
    expect(world.billing.opened).toHaveLength(1);
    await expect(world.client.openAccount({ userId }, root)).rejects.toMatchObject({ code: "permission_denied" });
  });

  it("creates root from the environment at the first start only", async () => {
    const other = await world.addReplica();
    const root = { username: "boss", password: "environment pass" };
    await Promise.all([world.auth.setup.runFromEnvironment(root), other.auth.setup.runFromEnvironment(root)]);
    await world.auth.setup.runFromEnvironment({ username: "second", password: "environment pass" });
    expect(await world.client.getSetup({})).toEqual({ done: true, rootExists: true });
    expect(
      (await world.client.listUsers({ page: 1, pageSize: 10, keyword: "", group: "", role: 0, status: 0, ids: [] }))
        .total,
    ).toBe(1);
    await expect(signIn(world, "boss", "environment pass")).resolves.toHaveLength(43);
    await expect(world.client.runSetup(form("root"))).rejects.toMatchObject({ code: "setup_done" });
  });
});
