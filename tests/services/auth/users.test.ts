import { userChanged } from "@turnpike/shared/events/auth";
import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type AuthWorld, makeUser, PASSWORD, setUp, signIn, startAuthWorld } from "./auth-world.ts";

const NO_EDIT = { username: undefined, displayName: undefined, group: undefined, password: undefined };
const NO_SELF_EDIT = {
  username: undefined,
  displayName: undefined,
  originalPassword: undefined,
  password: undefined,
  settingJson: undefined,
  sessionId: "",
};

describe("users", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  let admin: { actor: Actor };
  let ada: { actor: Actor };
  const changed: number[] = [];

  beforeAll(async () => {
    world = await startAuthWorld();
    world.bus.listen(userChanged, ({ userId }) => void changed.push(userId));
    root = await setUp(world);
    admin = await makeUser(world, root, { username: "admin", role: 10 });
    ada = await makeUser(world, admin, { username: "ada" });
  });
  afterAll(() => world.stop());

  const create = (by: { actor: Actor }, username: string, more: { password?: string; role?: number } = {}) =>
    world.client.createUser({ username, password: PASSWORD, displayName: "", role: 0, ...more }, by);
  const update = (by: { actor: Actor }, id: number, edit: object) =>
    world.client.updateUser({ id, ...NO_EDIT, ...edit }, by);
  const list = (
    keyword: string,
    more: { page?: number; pageSize?: number; group?: string; role?: number; status?: number } = {},
  ) =>
    world.client.listUsers({ page: 1, pageSize: 100, group: "", role: 0, status: 0, ...more, keyword, ids: [] }, root);
  const names = async (...args: Parameters<typeof list>) => (await list(...args)).items.map(({ username }) => username);

  it("opens the account before an edit of the user returns, so that a balance can be set next", async () => {
    world.billing.goAway();
    const { user } = await create(admin, "early");
    const id = user?.id ?? 0;
    world.billing.comeBack();
    await update(admin, id, { displayName: "Early Bird" });
    expect(world.billing.opened.map(({ userId }) => userId)).toContain(id);
  });

  it("keeps a note that administrators read and the user does not", async () => {
    await update(admin, ada.actor.userId, { adminNote: "pays by invoice" });
    const read = async (by: { actor: Actor }) => (await world.client.getUser({ id: ada.actor.userId }, by)).user;
    expect((await read(admin))?.adminNote).toBe("pays by invoice");
    expect((await read(ada))?.adminNote).toBeUndefined();
    expect((await list("ada")).items.map(({ adminNote }) => adminNote)).toEqual(["pays by invoice"]);
    await expect(update(admin, ada.actor.userId, { adminNote: "x".repeat(2_001) })).rejects.toMatchObject({
      code: "invalid_input",
    });
    await update(admin, ada.actor.userId, { adminNote: "" });
    expect((await read(admin))?.adminNote).toBe("");
  });

  it("lists the ids of users that match a filter", async () => {
    const search = { keyword: "ada", group: "", role: 0, status: 0 };
    expect((await world.client.listUserIds(search, root)).ids).toEqual([ada.actor.userId]);
    await expect(world.client.listUserIds(search, ada)).rejects.toMatchObject({ code: "permission_denied" });
  });

  it("creates users with growing ids, in the default group, and with an account", async () => {
    await world.client.setOption({ key: "QuotaForNewUser", value: "777" }, root);
    const { user: first } = await create(admin, "new1");
    const { user: second } = await create(admin, "new2");
    expect(first).toMatchObject({
      role: 1,
      status: 1,
      group: "default",
      displayName: "new1",
      mustChangePassword: true,
    });
    expect(second?.id).toBeGreaterThan(first?.id ?? 0);
    expect(first?.affCode).not.toBe(second?.affCode);
    expect(world.billing.opened).toContainEqual(
      expect.objectContaining({ userId: first?.id, credit: 777, kind: "gift" }),
    );
    await world.client.setOption({ key: "QuotaForNewUser", value: "0" }, root);
    const { user: third } = await create(admin, "new3");
    expect(world.billing.opened).toContainEqual(expect.objectContaining({ userId: third?.id, credit: 0 }));
  });

  it("keeps names unique regardless of case, also for concurrent requests and after deregistration", async () => {
    const tries = await Promise.allSettled(["Twin", "twin", "TWIN", "tWiN"].map((name) => create(admin, name)));
    expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const [made] = (await list("twin")).items;
    await world.client.manageUser({ id: made?.id ?? 0, action: "delete" }, admin);
    await expect(create(admin, "Twin")).rejects.toMatchObject({ code: "username_taken", params: { username: "Twin" } });
    await expect(update(admin, ada.actor.userId, { username: "TWIN" })).rejects.toMatchObject({
      code: "username_taken",
    });
  });

  it.each([
    ["", PASSWORD, "credentials_required"],
    ["someone", "", "credentials_required"],
    ["x".repeat(21), PASSWORD, "username_invalid"],
    ["someone", "short", "password_too_short"],
    ["someone", "p".repeat(21), "password_too_long"],
  ])("refuses name %j and password %j: %s", async (username, password, code) => {
    await expect(create(admin, username, { password })).rejects.toMatchObject({ code });
  });

  it("applies the role rules to creation and actions", async () => {
    const refusals: [() => Promise<unknown>, string][] = [
      [() => create(ada, "x1"), "permission_denied"],
      [() => create(admin, "x2", { role: 10 }), "user_create_level_too_high"],
      [() => create(root, "x3", { role: 100 }), "user_create_level_too_high"],
      [() => update(ada, admin.actor.userId, { group: "vip" }), "permission_denied"],
      [() => update(admin, admin.actor.userId, { group: "vip" }), "user_level_too_high"],
      [() => update(admin, root.actor.userId, { password: "taken over!" }), "user_level_too_high"],
      [() => world.client.manageUser({ id: ada.actor.userId, action: "promote" }, admin), "permission_denied"],
      [() => world.client.manageUser({ id: root.actor.userId, action: "disable" }, root), "root_protected"],
      [() => world.client.manageUser({ id: admin.actor.userId, action: "promote" }, root), "already_admin"],
      [() => world.client.manageUser({ id: ada.actor.userId, action: "demote" }, admin), "already_common"],
      [() => world.client.manageUser({ id: ada.actor.userId, action: "explode" }, admin), "user_action_unknown"],
      [() => world.client.manageUser({ id: 999_999, action: "disable" }, admin), "user_not_found"],
      [() => world.client.getUser({ id: root.actor.userId }, admin), "user_level_too_high"],
      [() => world.client.getUser({ id: admin.actor.userId }, ada), "permission_denied"],
      [() => world.client.getUser({ id: 999_999 }, root), "user_not_found"],
      [
        () =>
          world.client.listUsers({ page: 1, pageSize: 10, keyword: "", group: "", role: 0, status: 0, ids: [] }, ada),
        "permission_denied",
      ],
      [() => world.client.updateUser({ id: ada.actor.userId, ...NO_EDIT }), "unauthenticated"],
      [() => world.client.updateSelf({ id: ada.actor.userId, ...NO_SELF_EDIT }, admin), "permission_denied"],
    ];
    for (const [call, code] of refusals) await expect(call()).rejects.toMatchObject({ code });
    expect((await world.client.getUser({ id: ada.actor.userId }, ada)).user?.username).toBe("ada");
    expect((await world.client.getUser({ id: ada.actor.userId }, admin)).user?.username).toBe("ada");
    expect((await update(root, root.actor.userId, { group: "vip" })).user?.group).toBe("vip");
  });

  it("edits single fields, and publishes the change", async () => {
    const { actor: edited } = await makeUser(world, admin, { username: "edited" });
    changed.length = 0;
    const { user } = await update(admin, edited.userId, { displayName: "Edited One", group: "vip" });
    expect(user).toMatchObject({ username: "edited", displayName: "Edited One", group: "vip" });
    await vi.waitFor(() => expect(changed).toEqual([edited.userId]));
    await update(admin, edited.userId, { password: "given by admin" });
    await expect(signIn(world, "edited", PASSWORD)).rejects.toMatchObject({ code: "login_failed" });
    await expect(signIn(world, "edited", "given by admin")).resolves.toBeDefined();
  });

  it("promotes, demotes, bans, unbans and deregisters a user", async () => {
    const { actor: target } = await makeUser(world, admin, { username: "managed" });
    const act = async (action: string) => (await world.client.manageUser({ id: target.userId, action }, root)).user;
    expect(await act("promote")).toMatchObject({ role: 10, status: 1 });
    expect(await act("demote")).toMatchObject({ role: 1 });
    expect(await act("disable")).toMatchObject({ status: 2 });
    expect(await world.client.getPrincipal({ userId: target.userId })).toMatchObject({ status: 2 });
    expect(await act("enable")).toMatchObject({ status: 1 });
    expect((await act("delete"))?.deletedAtSeconds).toBeGreaterThan(0);
    await expect(act("enable")).rejects.toMatchObject({ code: "user_not_found" });
    await expect(world.client.getPrincipal({ userId: target.userId })).rejects.toMatchObject({
      code: "user_not_found",
    });
    expect((await world.client.getUser({ id: target.userId })).user?.deletedAtSeconds).toBeGreaterThan(0);
  });

  it("lists users newest first, in pages of at most a hundred", async () => {
    for (let index = 0; index < 5; index++) await create(admin, `paged${index}`);
    expect(await names("paged", { pageSize: 2, page: 2 })).toEqual(["paged2", "paged1"]);
    expect((await list("paged", { pageSize: 2, page: 9 })).items).toEqual([]);
    expect((await list("paged", { pageSize: 2 })).total).toBe(5);
    expect((await list("paged", { pageSize: 0, page: 0 })).items).toHaveLength(5);
  });

  it("finds users by id, name, display name and e-mail, with special characters taken literally", async () => {
    const { user } = await create(admin, "findme");
    await update(admin, user?.id ?? 0, { displayName: "a.b*c" });
    await world.mongo
      .collection<{ _id: number }>("users")
      .updateOne({ _id: user?.id ?? 0 }, { $set: { email: "find@x.example" } });
    for (const keyword of ["FINDM", "A.B*C", "find@x", String(user?.id)])
      expect(await names(keyword)).toContain("findme");
    expect(await names("a.b.c")).toEqual([]);
    expect(await names("(")).toEqual([]);
    expect(await names("", { group: "no such group" })).toEqual([]);
  });

  it("uses the indexes for searches", async () => {
    const users = world.mongo.collection("users");
    for (const filter of [{ usernameLower: "ada" }, { emailLower: "a@b" }, { accessTokenHash: "00" }, { role: 100 }]) {
      const plan = JSON.stringify(await users.find(filter).explain("queryPlanner"));
      expect(plan).toContain("IXSCAN");
    }
  });

  it("lets users change their own name and settings, whose secret is never shown", async () => {
    const self = await makeUser(world, admin, { username: "selfish" });
    const setting = {
      notify_type: "webhook",
      webhook_url: "https://hooks.example/x",
      webhook_secret: "shared between us",
      accept_unset_model_ratio_model: true,
      show_ip_in_logs: true,
      quota_warning_threshold: 42,
    };
    const edit = { ...NO_SELF_EDIT, username: "Selfless", displayName: "Me", settingJson: JSON.stringify(setting) };
    const { user } = await world.client.updateSelf({ id: self.actor.userId, ...edit }, self);
    expect(user).toMatchObject({ username: "Selfless", displayName: "Me" });
    expect(user?.settingJson).not.toContain("shared between us");
    expect(JSON.parse(user?.settingJson ?? "")).toMatchObject({ webhook_secret_set: true });
    expect(JSON.stringify(await world.mongo.collection("users").find().toArray())).not.toContain("shared between us");
    expect(await world.client.getPrincipal({ userId: self.actor.userId })).toEqual({
      userId: self.actor.userId,
      username: "Selfless",
      group: "default",
      role: 1,
      status: 1,
      acceptUnsetModelRatioModel: true,
      showIpInLogs: true,
      quotaWarningThreshold: 42,
    });
  });

  it("refuses a webhook at a private address", async () => {
    const self = await makeUser(world, admin, { username: "prying" });
    for (const webhook_url of ["https://169.254.169.254/latest", "https://10.0.0.1/x", "https://[::1]/x"]) {
      const settingJson = JSON.stringify({ notify_type: "webhook", webhook_url });
      await expect(
        world.client.updateSelf({ id: self.actor.userId, ...NO_SELF_EDIT, settingJson }, self),
      ).rejects.toMatchObject({ code: "address_not_allowed" });
    }
  });

  it("hides private data of users of the same level or above from admins, also in searches", async () => {
    const mail = (id: number, email: string) =>
      world.mongo.collection<{ _id: number }>("users").updateOne({ _id: id }, { $set: { email } });
    await mail(root.actor.userId, "root@private.example");
    await mail(ada.actor.userId, "ada@private.example");
    const filter = { page: 1, pageSize: 100, keyword: "", group: "", role: 0, status: 0 };
    const seen = async (by: { actor: Actor }, keyword = "") =>
      (await world.client.listUsers({ ...filter, keyword, ids: [] }, by)).items;
    const rootRow = (await seen(admin)).find(({ id }) => id === root.actor.userId);
    expect(rootRow).toMatchObject({ username: "root", role: 100, email: "", affCode: "", settingJson: "{}" });
    expect((await seen(admin, "private.example")).map(({ username }) => username)).toEqual(["ada"]);
    expect((await seen(root, "private.example")).map(({ email }) => email).toSorted()).toEqual([
      "ada@private.example",
      "root@private.example",
    ]);
  });

  it("lists users by role and by status, deregistered ones separately", async () => {
    const { actor: removed } = await makeUser(world, admin, { username: "sorted-gone" });
    const { actor: banned } = await makeUser(world, admin, { username: "sorted-banned" });
    await makeUser(world, root, { username: "sorted-admin", role: 10 });
    await world.client.manageUser({ id: removed.userId, action: "delete" }, admin);
    await world.client.manageUser({ id: banned.userId, action: "disable" }, admin);
    expect(await names("sorted-", { role: 10 })).toEqual(["sorted-admin"]);
    expect(await names("sorted-", { status: 1 })).toEqual(["sorted-admin"]);
    expect(await names("sorted-", { status: 2 })).toEqual(["sorted-banned"]);
    expect(await names("sorted-", { status: 3 })).toEqual(["sorted-gone"]);
    expect(await names("sorted-")).toHaveLength(3);
  });

  it("applies the site's warning threshold until a user sets one", async () => {
    await world.client.setOption({ key: "QuotaRemindThreshold", value: "1234" }, root);
    expect(await world.client.getPrincipal({ userId: ada.actor.userId })).toMatchObject({
      quotaWarningThreshold: 1234,
    });
    await expect(world.client.getPrincipal({ userId: 999_999 })).rejects.toMatchObject({ code: "user_not_found" });
  });

  it("serializes concurrent actions on a user", async () => {
    const { actor: target } = await makeUser(world, admin, { username: "raced" });
    const acts = ["promote", "disable", "promote", "delete"].map((action) =>
      world.client.manageUser({ id: target.userId, action }, root).then(
        () => "ok",
        (error: { code: string }) => error.code,
      ),
    );
    const outcomes = await Promise.all(acts);
    expect(outcomes.filter((outcome) => !["ok", "already_admin", "user_not_found"].includes(outcome))).toEqual([]);
    const { user } = await world.client.getUser({ id: target.userId });
    expect(user?.deletedAtSeconds).toBeGreaterThan(0);
  });
});
