import type { Actor } from "@turnpike/shared/grpc/context";
import { Secret, TOTP } from "otpauth";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AuthWorld, code, makeUser, PASSWORD, setUp, signIn, startAuthWorld } from "./auth-world.ts";
import { letTimePass, visitor } from "./identity-world.ts";

describe("second factor", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  let count = 0;
  beforeAll(async () => {
    world = await startAuthWorld();
    root = await setUp(world);
  });
  afterAll(() => world.stop());
  beforeEach(() => letTimePass(world));

  /** Each code works once, so tests use the codes of the previous, current and next step. */
  const codeAt = (secret: string, steps: number): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });
  const enabled = async () => {
    const username = `person${++count}`;
    const who = await makeUser(world, root, { username });
    const own = { userId: who.actor.userId };
    const { secret } = await world.identity.setUpTwoFactor(own, who);
    const { recoveryCodes } = await world.identity.enableTwoFactor({ ...own, code: codeAt(secret, -1) }, who);
    return { who, own, username, secret, recoveryCodes };
  };
  const login = (username: string, browserId = "browser one") =>
    world.client.login({
      username,
      password: PASSWORD,
      address: "",
      userAgent: "",
      visitor: visitor({ browserId }),
    });
  const finish = (pendingId: string, typed: string, browserId = "browser one") =>
    world.identity.finishSecondFactor({ pendingId, code: typed, visitor: visitor({ browserId }) });

  it("is in force from its first valid code on", async () => {
    const who = await makeUser(world, root, { username: "careful" });
    const own = { userId: who.actor.userId };
    await expect(world.identity.enableTwoFactor({ ...own, code: "123456" }, who)).rejects.toEqual(
      code("two_factor_not_set_up"),
    );
    const { secret, otpauthUrl } = await world.identity.setUpTwoFactor(own, who);
    expect(otpauthUrl).toContain(secret);
    await expect(signIn(world, "careful")).resolves.not.toBe("");
    await expect(world.identity.enableTwoFactor({ ...own, code: "" }, who)).rejects.toEqual(
      code("two_factor_code_wrong"),
    );
    const { recoveryCodes } = await world.identity.enableTwoFactor({ ...own, code: codeAt(secret, 0) }, who);
    expect(recoveryCodes).toHaveLength(10);
    expect(await world.identity.getTwoFactor(own, who)).toMatchObject({ enabled: true, recoveryCodesLeft: 10 });
    await expect(world.identity.setUpTwoFactor(own, who)).rejects.toEqual(code("two_factor_already_on"));
    expect((await login("careful")).sessionId).toBe("");
  });

  it("opens a session after the password and a code, each code once", async () => {
    const { username, secret } = await enabled();
    const { sessionId, pending } = await login(username);
    expect(sessionId).toBe("");
    expect(pending?.methods).toEqual(["totp", "recovery_code"]);
    const now = codeAt(secret, 0);
    const { signedIn } = await finish(pending?.id ?? "", now);
    await expect(world.client.resolveSession({ sessionId: signedIn?.sessionId ?? "" })).resolves.toBeDefined();
    await expect(finish(pending?.id ?? "", codeAt(secret, 1))).rejects.toEqual(code("sign_in_expired"));
    const again = await login(username);
    await expect(finish(again.pending?.id ?? "", now)).rejects.toEqual(code("two_factor_code_wrong"));
    await expect(finish(again.pending?.id ?? "", codeAt(secret, 1))).resolves.toBeDefined();
  });

  it("accepts a code for one of ten concurrent uses", async () => {
    const { username, secret } = await enabled();
    const waiting = await Promise.all(Array.from({ length: 4 }, () => login(username)));
    const now = codeAt(secret, 0);
    const results = await Promise.allSettled(waiting.map(({ pending }) => finish(pending?.id ?? "", now)));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  it("accepts each recovery code once, in any spelling", async () => {
    const { username, own, who, recoveryCodes } = await enabled();
    const [first = ""] = recoveryCodes;
    await finish((await login(username)).pending?.id ?? "", ` ${first.toUpperCase()} `);
    await expect(finish((await login(username)).pending?.id ?? "", first)).rejects.toEqual(
      code("two_factor_code_wrong"),
    );
    expect((await world.identity.getTwoFactor(own, who)).recoveryCodesLeft).toBe(9);
  });

  it("is accepted only in the browser that started the sign-in, and not after a password change", async () => {
    const { username, secret, who } = await enabled();
    const { pending } = await login(username);
    await expect(finish(pending?.id ?? "", codeAt(secret, 0), "another")).rejects.toEqual(code("sign_in_expired"));
    for (const forged of ["", "forged"])
      await expect(finish(forged, codeAt(secret, 0))).rejects.toEqual(code("sign_in_expired"));
    await world.client.updateUser({ id: who.actor.userId, password: "a new password" }, root);
    await expect(finish(pending?.id ?? "", codeAt(secret, 0))).rejects.toEqual(code("sign_in_expired"));
  });

  it("limits guessing to five attempts per sign-in and ten per user", async () => {
    const { username, secret } = await enabled();
    const { pending } = await login(username);
    for (let tries = 0; tries < 5; tries++)
      await expect(finish(pending?.id ?? "", "000000")).rejects.toEqual(code("two_factor_code_wrong"));
    await expect(finish(pending?.id ?? "", codeAt(secret, 0))).rejects.toEqual(code("rate_limited"));
    const second = await login(username);
    for (let tries = 0; tries < 5; tries++)
      await expect(finish(second.pending?.id ?? "", "000000")).rejects.toEqual(code("two_factor_code_wrong"));
    const third = await login(username);
    await expect(finish(third.pending?.id ?? "", codeAt(secret, 0))).rejects.toEqual(code("rate_limited"));
  });

  it("is disabled by a code, and its recovery codes are replaced by one", async () => {
    const { username, own, who, secret, recoveryCodes } = await enabled();
    const [old = ""] = recoveryCodes;
    await expect(world.identity.replaceRecoveryCodes({ ...own, code: old }, who)).rejects.toEqual(
      code("two_factor_code_wrong"),
    );
    const fresh = await world.identity.replaceRecoveryCodes({ ...own, code: codeAt(secret, 0) }, who);
    await expect(world.identity.disableTwoFactor({ ...own, code: old }, who)).rejects.toEqual(
      code("two_factor_code_wrong"),
    );
    await world.identity.disableTwoFactor({ ...own, code: fresh.recoveryCodes[0] ?? "" }, who);
    expect((await login(username)).sessionId).not.toBe("");
  });

  it("can be disabled by a higher role for a user who lost it, with an audit row", async () => {
    const { username, own, who } = await enabled();
    const admin = await makeUser(world, root, { username: "an admin", role: 10 });
    await expect(world.identity.clearTwoFactor(own, who)).rejects.toEqual(code("permission_denied"));
    await expect(world.identity.clearTwoFactor({ userId: root.actor.userId }, admin)).rejects.toEqual(
      code("user_level_too_high"),
    );
    await world.identity.clearTwoFactor(own, admin);
    expect((await login(username)).sessionId).not.toBe("");
    const { items } = await world.client.listAuditEntries(
      {
        page: 1,
        pageSize: 10,
        actor: "",
        action: "user.clear_two_factor",
        keyword: "",
        startSeconds: 0,
        endSeconds: 0,
      },
      root,
    );
    expect(items[0]).toMatchObject({ actorName: "an admin", target: `user:${own.userId}` });
  });

  it("stores neither secret nor recovery codes in clear", async () => {
    const { secret, recoveryCodes } = await enabled();
    const stored = JSON.stringify(await world.mongo.collection("two_factors").find().toArray());
    for (const hidden of [secret, ...recoveryCodes]) expect(stored).not.toContain(hidden);
  });
});

describe("open sessions", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  beforeAll(async () => {
    world = await startAuthWorld();
    root = await setUp(world);
  });
  afterAll(() => world.stop());

  const isAlive = (sessionId: string): Promise<boolean> =>
    world.client.resolveSession({ sessionId }).then(
      () => true,
      () => false,
    );

  it("lists sessions without their ids, and ends them one by one or all at once", async () => {
    const own = { userId: root.actor.userId };
    const [one, two, three] = [await signIn(world, "root"), await signIn(world, "root"), await signIn(world, "root")];
    const { sessions } = await world.identity.listSessions({ ...own, sessionId: one }, root);
    expect(sessions).toHaveLength(3);
    expect(sessions.filter(({ current }) => current)).toHaveLength(1);
    expect(sessions[0]).toMatchObject({ address: "192.0.2.7", userAgent: "test" });
    expect(JSON.stringify(sessions)).not.toContain(one);
    const other = sessions.find(({ current }) => !current)?.id ?? "";
    await world.identity.endSession({ ...own, id: other }, root);
    expect((await Promise.all([one, two, three].map(isAlive))).filter(Boolean)).toHaveLength(2);
    await expect(world.identity.endSession({ ...own, id: other }, root)).rejects.toEqual(code("session_not_found"));
    await world.identity.endAllSessions({ ...own, survivingSessionId: one }, root);
    expect(await Promise.all([one, two, three].map(isAlive))).toEqual([true, false, false]);
    await world.identity.endAllSessions({ ...own, survivingSessionId: "" }, root);
    expect(await isAlive(one)).toBe(false);
    expect((await world.identity.listSessions({ ...own, sessionId: "" }, root)).sessions).toEqual([]);
  });

  it("refuses to end another user's sessions", async () => {
    const sessionId = await signIn(world, "root");
    const { sessions } = await world.identity.listSessions({ userId: root.actor.userId, sessionId }, root);
    const mallory = await makeUser(world, root, { username: "mallory", role: 10 });
    const id = sessions[0]?.id ?? "";
    await expect(world.identity.endSession({ userId: mallory.actor.userId, id }, mallory)).rejects.toEqual(
      code("session_not_found"),
    );
    expect(await isAlive(sessionId)).toBe(true);
  });
});
