import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuthWorld, makeUser, PASSWORD, setUp, signIn, startAuthWorld } from "./auth-world.ts";

type TestUser = { actor: Actor };
type Level = "user" | "admin" | "root";
type Target = Level | "self";
type Action = "read" | "edit" | "promote" | "demote" | "disable" | "enable" | "delete";

const ROLES: Record<Level, number> = { user: 1, admin: 10, root: 100 };
const NO_EDIT = { username: undefined, displayName: undefined, group: undefined, password: undefined };
const DENIED = "permission_denied";
const TOO_HIGH = "user_level_too_high";

/** The expected result of each action by actor and target: the complete rules. */
const MATRIX: Record<Action, Record<Level, Record<Target, string>>> = {
  read: {
    user: { user: DENIED, admin: DENIED, root: DENIED, self: "ok" },
    admin: { user: "ok", admin: TOO_HIGH, root: TOO_HIGH, self: "ok" },
    root: { user: "ok", admin: "ok", root: "ok", self: "ok" },
  },
  edit: {
    user: { user: DENIED, admin: DENIED, root: DENIED, self: DENIED },
    admin: { user: "ok", admin: TOO_HIGH, root: TOO_HIGH, self: TOO_HIGH },
    root: { user: "ok", admin: "ok", root: "ok", self: "ok" },
  },
  promote: {
    user: { user: DENIED, admin: DENIED, root: DENIED, self: DENIED },
    admin: { user: DENIED, admin: TOO_HIGH, root: TOO_HIGH, self: TOO_HIGH },
    root: { user: "ok", admin: "already_admin", root: "already_admin", self: "already_admin" },
  },
  demote: {
    user: { user: DENIED, admin: DENIED, root: DENIED, self: DENIED },
    admin: { user: "already_common", admin: TOO_HIGH, root: TOO_HIGH, self: TOO_HIGH },
    root: { user: "already_common", admin: "ok", root: "root_protected", self: "root_protected" },
  },
  disable: {
    user: { user: DENIED, admin: DENIED, root: DENIED, self: DENIED },
    admin: { user: "ok", admin: TOO_HIGH, root: TOO_HIGH, self: TOO_HIGH },
    root: { user: "ok", admin: "ok", root: "root_protected", self: "root_protected" },
  },
  enable: {
    user: { user: DENIED, admin: DENIED, root: DENIED, self: DENIED },
    admin: { user: "ok", admin: TOO_HIGH, root: TOO_HIGH, self: TOO_HIGH },
    root: { user: "ok", admin: "ok", root: "ok", self: "ok" },
  },
  delete: {
    user: { user: DENIED, admin: DENIED, root: DENIED, self: DENIED },
    admin: { user: "ok", admin: TOO_HIGH, root: TOO_HIGH, self: TOO_HIGH },
    root: { user: "ok", admin: "ok", root: "root_protected", self: "root_protected" },
  },
};
const ACTIONS = Object.keys(MATRIX) as Action[];
const LEVELS = Object.keys(ROLES) as Level[];
const CASES = ACTIONS.flatMap((action) =>
  LEVELS.flatMap((by) =>
    (Object.keys(MATRIX[action][by]) as Target[]).map((on) => [by, action, on, MATRIX[action][by][on]] as const),
  ),
);

describe("role hierarchy", () => {
  let world: AuthWorld;
  const users = {} as Record<Level, TestUser>;
  const others = {} as Record<"user" | "admin", TestUser>;
  let made = 0;

  beforeAll(async () => {
    world = await startAuthWorld();
    users.root = await setUp(world);
    users.admin = await makeUser(world, users.root, { username: "the admin", role: ROLES.admin });
    users.user = await makeUser(world, users.root, { username: "the user" });
    others.admin = await makeUser(world, users.root, { username: "another admin", role: ROLES.admin });
    others.user = await makeUser(world, users.root, { username: "another user" });
  });
  afterAll(() => world.stop());

  const outcome = (call: Promise<unknown>): Promise<string> =>
    call.then(
      () => "ok",
      (error: { code: string }) => error.code,
    );
  /** A target user: created again if the action is expected to succeed, as it changes the user. */
  const getTarget = async (by: Level, on: Target, isChanged: boolean): Promise<number> => {
    if (on === "self") return users[by].actor.userId;
    if (on === "root") return users.root.actor.userId;
    if (!isChanged) return others[on].actor.userId;
    const form = { username: `target ${++made}`, role: ROLES[on] };
    return (await makeUser(world, users.root, form)).actor.userId;
  };
  const act = (action: Action, id: number, by?: TestUser): Promise<unknown> => {
    if (action === "read") return world.client.getUser({ id }, by);
    if (action === "edit") return world.client.updateUser({ ...NO_EDIT, id, group: `group ${++made}` }, by);
    return world.client.manageUser({ id, action }, by);
  };

  it.each(CASES)("%s: %s %s → %s", async (by, action, on, expected) => {
    const id = await getTarget(by, on, expected === "ok" && action !== "read");
    const { user: before } = await world.client.getUser({ id });
    expect(await outcome(act(action, id, users[by]))).toBe(expected);
    const { user: after } = await world.client.getUser({ id });
    const mayDiffer = expected === "ok" && action !== "read";
    expect(mayDiffer ? undefined : after).toEqual(mayDiffer ? undefined : before);
  });

  it.each([
    ["user", 1, DENIED],
    ["user", 0, DENIED],
    ["admin", 0, "ok"],
    ["admin", 1, "ok"],
    ["admin", 10, "user_create_level_too_high"],
    ["admin", 100, "user_create_level_too_high"],
    ["root", 1, "ok"],
    ["root", 10, "ok"],
    ["root", 100, "user_create_level_too_high"],
    ["root", 5, "invalid_input"],
    ["root", -1, "invalid_input"],
  ] as const)("applies the rule: %s creates a user of role %i → %s", async (by, role, expected) => {
    const form = { username: `made ${++made}`, password: PASSWORD, displayName: "", role };
    expect(await outcome(world.client.createUser(form, users[by]))).toBe(expected);
  });

  it("changes nothing for a request without an actor", async () => {
    const { userId } = users.user.actor;
    for (const action of ACTIONS.filter((name) => name !== "read"))
      expect([action, await outcome(act(action, userId))]).toEqual([action, "unauthenticated"]);
    const form = { username: "nobody", password: PASSWORD, displayName: "", role: 0 };
    expect(await outcome(world.client.createUser(form))).toBe("unauthenticated");
  });

  it.each(["disable", "delete", "demote"] as const)(
    "ends sessions at once on every replica after action %s",
    async (action) => {
      const other = await world.addReplica();
      const username = `ends by ${action}`;
      const role = action === "demote" ? ROLES.admin : ROLES.user;
      const target = await makeUser(world, users.root, { username, role });
      const sessionId = await signIn(world, username);
      const { accessToken } = await world.client.createAccessToken({ userId: target.actor.userId }, target);
      await other.client.resolveSession({ sessionId });
      await world.client.manageUser({ id: target.actor.userId, action }, users.root);
      expect(await outcome(other.client.resolveSession({ sessionId }))).toBe("unauthenticated");
      // A token stays valid after a demotion, with its owner's current role.
      const resolved = await outcome(other.client.resolveAccessToken({ accessToken }));
      expect(resolved).toBe(action === "demote" ? "ok" : "access_token_invalid");
    },
  );
});
