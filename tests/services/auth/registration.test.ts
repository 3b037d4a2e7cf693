import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { actor, type AuthWorld, code, makeUser, PASSWORD, setUp, signIn, startAuthWorld } from "./auth-world.ts";
import { form, letTimePass, mailed, setOptions, visitor } from "./identity-world.ts";

describe("registration", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  beforeAll(async () => {
    world = await startAuthWorld();
    root = await setUp(world);
    await setOptions(world, root, { QuotaForNewUser: "1000", QuotaForInviter: "300", QuotaForInvitee: "200" });
  });
  afterAll(() => world.stop());
  beforeEach(() => letTimePass(world));

  const register = (overrides: Record<string, unknown> = {}) => world.identity.register(form(overrides));
  const sendCode = (email: string) => world.identity.sendVerificationCode({ email, visitor: visitor() });

  it("creates an ordinary user with an account and its first credit", async () => {
    const { userId } = await register({ username: "Ada" });
    const { user } = await world.client.getUser({ id: userId });
    expect(user).toMatchObject({ username: "Ada", displayName: "Ada", role: 1, status: 1, inviterId: 0, email: "" });
    expect(user?.mustChangePassword).toBe(false);
    expect(world.billing.opened).toContainEqual(expect.objectContaining({ userId, credit: 1000, kind: "gift" }));
    await expect(signIn(world, "ada")).resolves.toBeTypeOf("string");
  });

  it("credits an invitation once to both users, even while billing is down", async () => {
    const { user: inviter } = await world.client.getUser({ id: root.actor.userId });
    world.billing.goAway();
    const { userId } = await register({ username: "invited", affCode: inviter?.affCode });
    world.billing.comeBack();
    const reference = `invitation:${userId}`;
    await vi.waitFor(
      () => expect(world.billing.credited.some((one) => one.reference === reference)).toBe(true),
      10_000,
    );
    await vi.waitFor(() => expect(world.billing.opened.some((one) => one.userId === userId)).toBe(true), 10_000);
    expect(world.billing.credited.filter((one) => one.userId === userId)).toEqual([
      expect.objectContaining({ kind: "invitation", amount: 200 }),
    ]);
    const { user } = await world.client.getUser({ id: userId });
    expect(user?.inviterId).toBe(root.actor.userId);
    const after = (await world.client.getUser({ id: root.actor.userId })).user;
    expect(after).toMatchObject({ affCount: 1, affQuota: 300, affHistoryQuota: 300 });
  });

  it("ignores an unknown invitation", async () => {
    const { userId } = await register({ username: "uninvited", affCode: "nobody's" });
    expect((await world.client.getUser({ id: userId })).user?.inviterId).toBe(0);
  });

  it("refuses forms that break the rules", async () => {
    for (const [overrides, expected] of [
      [{ username: "" }, "credentials_required"],
      [{ password: "" }, "credentials_required"],
      [{ username: "x".repeat(21) }, "username_invalid"],
      [{ password: "short" }, "password_too_short"],
      [{ password: "x".repeat(21) }, "password_too_long"],
      [{ passwordAgain: "another one" }, "passwords_differ"],
      [{ username: "ADA" }, "username_taken"],
      [{ username: "ａｄａ" }, "username_taken"],
    ] as const)
      await expect(register(overrides)).rejects.toEqual(code(expected));
  });

  it("gives a name to one of ten concurrent requests for it", async () => {
    const results = await Promise.allSettled(Array.from({ length: 10 }, () => register({ username: "wanted" })));
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const reasons = results.flatMap((result) => (result.status === "rejected" ? [result.reason as unknown] : []));
    expect(reasons).toEqual(Array.from({ length: 9 }, () => code("username_taken")));
  });

  it("is closed by each of its switches", async () => {
    await setOptions(world, root, { RegisterEnabled: "false" });
    await expect(register({ username: "late" })).rejects.toEqual(code("register_disabled"));
    await setOptions(world, root, { RegisterEnabled: "true", PasswordRegisterEnabled: "false" });
    await expect(register({ username: "late" })).rejects.toEqual(code("password_register_disabled"));
    await setOptions(world, root, { PasswordRegisterEnabled: "true" });
  });

  it("counts attempts from one address exactly, however many are concurrent", async () => {
    const from = visitor({ address: "198.51.100.1" });
    const results = await Promise.allSettled(
      Array.from({ length: 30 }, () => register({ username: "", visitor: from })),
    );
    const codes = results.map((result) =>
      result.status === "rejected" ? (result.reason as { code: string }).code : "",
    );
    expect(codes.filter((one) => one === "credentials_required")).toHaveLength(20);
    expect(codes.filter((one) => one === "rate_limited")).toHaveLength(10);
  });

  describe("e-mail verification", () => {
    beforeAll(() => setOptions(world, root, { EmailVerificationEnabled: "true" }));
    afterAll(() => setOptions(world, root, { EmailVerificationEnabled: "false" }));

    it("requires the mailed code, once, for that address only", async () => {
      await expect(register({ username: "eve" })).rejects.toEqual(code("email_and_code_required"));
      await sendCode("eve@example.com");
      const verificationCode = mailed(world, "eve@example.com", "code");
      expect(verificationCode).toMatch(/^\d{6}$/);
      expect(world.messaging.mails.at(-1)).toMatchObject({
        template: "verification_code",
        language: "en",
        params: { minutes: "10" },
      });
      const other = { username: "eve", email: "other@example.com", verificationCode };
      await expect(register(other)).rejects.toEqual(code("verification_code_wrong"));
      const { userId } = await register({ username: "eve", email: "Eve@Example.com", verificationCode });
      expect((await world.client.getUser({ id: userId })).user?.email).toBe("Eve@Example.com");
      await expect(register({ username: "eve2", email: "eve@example.com", verificationCode })).rejects.toEqual(
        code("email_taken"),
      );
      await expect(sendCode("EVE@example.com")).rejects.toEqual(code("email_taken"));
    });

    it("does not use the code up if the name is taken", async () => {
      await sendCode("bob@example.com");
      const proven = { email: "bob@example.com", verificationCode: mailed(world, "bob@example.com", "code") };
      await expect(register({ username: "ada", ...proven })).rejects.toEqual(code("username_taken"));
      await expect(register({ username: "bob", ...proven })).resolves.toBeDefined();
    });

    it("invalidates a code after five wrong attempts", async () => {
      await sendCode("guessed@example.com");
      const right = mailed(world, "guessed@example.com", "code");
      const wrong = right === "000000" ? "000001" : "000000";
      const trial = (verificationCode: string) =>
        register({ username: "guesser", email: "guessed@example.com", verificationCode });
      for (let count = 0; count < 5; count++)
        await expect(trial(wrong)).rejects.toEqual(code("verification_code_wrong"));
      await expect(trial(right)).rejects.toEqual(code("verification_code_wrong"));
    });

    it("accepts one of ten concurrent uses of a code", async () => {
      await sendCode("twice@example.com");
      const verificationCode = mailed(world, "twice@example.com", "code");
      const tries = Array.from({ length: 10 }, (_, index) =>
        register({ username: `twice${index}`, email: "twice@example.com", verificationCode }),
      );
      const results = await Promise.allSettled(tries);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    });

    it("mails an address at most once in 30 seconds, and frees the slot if the mail could not be queued", async () => {
      await sendCode("calm@example.com");
      await expect(sendCode("CALM@example.com")).rejects.toMatchObject({ code: "rate_limited" });
      world.messaging.goAway();
      await expect(sendCode("unlucky@example.com")).rejects.toEqual(code("unavailable"));
      world.messaging.comeBack();
      await expect(sendCode("unlucky@example.com")).resolves.toBeDefined();
    });

    it("applies the domain list and the rule against aliases", async () => {
      await setOptions(world, root, { EmailDomainWhitelist: "good.example", EmailDomainRestrictionEnabled: "true" });
      await expect(sendCode("ada@bad.example")).rejects.toEqual(code("email_domain_not_allowed"));
      await setOptions(world, root, { EmailAliasRestrictionEnabled: "true" });
      await expect(sendCode("a.da@good.example")).rejects.toEqual(code("email_alias_not_allowed"));
      await expect(sendCode("ada@good.example")).resolves.toBeDefined();
      await setOptions(world, root, { EmailDomainRestrictionEnabled: "false", EmailAliasRestrictionEnabled: "false" });
    });

    it("stores no code in clear", async () => {
      await sendCode("hidden@example.com");
      const secret = mailed(world, "hidden@example.com", "code");
      const prefix = `${world.backing.namespace}:`;
      for (const key of await world.redis.keys(`${prefix}code:*`)) {
        expect(key).not.toContain("hidden");
        const fields = await world.redis.hgetall(key.slice(prefix.length));
        expect(fields["digest"]).toHaveLength(64);
        expect(Object.values(fields)).not.toContain(secret);
      }
    });
  });

  describe("e-mail binding", () => {
    it("binds an address with its code, to the requesting user only", async () => {
      const ann = await makeUser(world, root, { username: "ann" });
      await sendCode("ann@example.com");
      const proven = { email: "ann@example.com", code: mailed(world, "ann@example.com", "code") };
      await expect(world.identity.bindEmail({ userId: root.actor.userId, ...proven }, ann)).rejects.toEqual(
        code("permission_denied"),
      );
      await world.identity.bindEmail({ userId: ann.actor.userId, ...proven }, ann);
      await expect(world.client.getUser({ id: ann.actor.userId })).resolves.toMatchObject({
        user: { email: "ann@example.com" },
      });
      await expect(world.identity.bindEmail({ userId: ann.actor.userId, ...proven }, ann)).rejects.toEqual(
        code("verification_code_wrong"),
      );
      await world.identity.unbind({ userId: ann.actor.userId, type: "email" }, ann);
      await expect(world.identity.unbind({ userId: ann.actor.userId, type: "email" }, ann)).rejects.toEqual(
        code("not_bound"),
      );
    });
  });

  describe("password reset", () => {
    let user: { actor: Actor };
    const email = "forgetful@example.com";
    beforeAll(async () => {
      await letTimePass(world);
      await setOptions(world, root, { ServerAddress: "https://turnpike.example" });
      user = await makeUser(world, root, { username: "forgetful" });
      await sendCode(email);
      await world.identity.bindEmail({ userId: user.actor.userId, email, code: mailed(world, email, "code") }, user);
    });
    const requestCode = async (address: string) => {
      await letTimePass(world);
      await world.identity.requestPasswordReset({ email: address, visitor: visitor() });
    };
    const linkTo = async (): Promise<URLSearchParams> => {
      const before = world.messaging.mails.length;
      await requestCode(email);
      await vi.waitFor(() => expect(world.messaging.mails.length).toBeGreaterThan(before));
      return new URL(mailed(world, email, "link")).searchParams;
    };
    const reset = (token: string, address = email) =>
      world.identity.resetPassword({ email: address, token, visitor: visitor() });

    it("replaces the password with the mailed link, once, and ends all sessions", async () => {
      const sessionId = await signIn(world, "forgetful");
      const link = await linkTo();
      expect(mailed(world, email, "link")).toMatch(/^https:\/\/turnpike\.example\/user\/reset\?/);
      expect(link.get("email")).toBe(email);
      const { password } = await reset(link.get("token") ?? "");
      expect(password).toMatch(/^\w{16}$/);
      await expect(world.client.resolveSession({ sessionId })).rejects.toEqual(code("unauthenticated"));
      await expect(signIn(world, "forgetful", PASSWORD)).rejects.toEqual(code("login_failed"));
      const login = await world.client.login({ username: email, password, address: "", userAgent: "" });
      expect(login.user?.mustChangePassword).toBe(true);
      await expect(reset(link.get("token") ?? "")).rejects.toEqual(code("reset_link_invalid"));
    });

    it("invalidates all other links when one is used", async () => {
      const [first, second] = [await linkTo(), await linkTo()];
      await reset(second.get("token") ?? "");
      await expect(reset(first.get("token") ?? "")).rejects.toEqual(code("reset_link_invalid"));
    });

    it("refuses another user's link, a guessed link, and a banned user's link", async () => {
      const link = await linkTo();
      await expect(reset(link.get("token") ?? "", "root@example.com")).rejects.toEqual(code("reset_link_invalid"));
      for (const tryGuess of ["", "0".repeat(32), "x".repeat(43)])
        await expect(reset(tryGuess)).rejects.toEqual(code("reset_link_invalid"));
      const late = await linkTo();
      await world.client.manageUser({ id: user.actor.userId, action: "disable" }, root);
      await expect(reset(late.get("token") ?? "")).rejects.toEqual(code("reset_link_invalid"));
      await world.client.manageUser({ id: user.actor.userId, action: "enable" }, root);
    });

    it("limits guessing from one address", async () => {
      const from = visitor({ address: "198.51.100.2" });
      const tryGuess = () => world.identity.resetPassword({ email, token: "x".repeat(43), visitor: from });
      for (let count = 0; count < 20; count++) await expect(tryGuess()).rejects.toEqual(code("reset_link_invalid"));
      await expect(tryGuess()).rejects.toEqual(code("rate_limited"));
    });

    it("refuses every request while the site's address is unknown, and sends no mail", async () => {
      await setOptions(world, root, { ServerAddress: "" });
      const before = world.messaging.mails.length;
      for (const address of [email, "nobody@example.com"])
        await expect(requestCode(address)).rejects.toEqual(code("site_address_unknown"));
      expect(world.messaging.mails.length).toBe(before);
      await setOptions(world, root, { ServerAddress: "https://turnpike.example" });
    });

    it("sends the same response whether or not the address exists", async () => {
      const before = world.messaging.mails.length;
      await expect(requestCode("stranger@example.com")).resolves.toBeUndefined();
      await expect(requestCode("not an address")).rejects.toEqual(code("email_invalid"));
      expect(world.messaging.mails).toHaveLength(before);
    });
  });

  it("requires the user themselves for their own settings", async () => {
    const stranger = actor(9999, 1);
    const { userId } = root.actor;
    for (const call of [
      () => world.identity.unbind({ userId, type: "email" }, stranger),
      () => world.identity.setUpTwoFactor({ userId }, stranger),
      () => world.identity.listSessions({ userId, sessionId: "" }, stranger),
      () => world.identity.listPasskeys({ userId }, stranger),
      () => world.identity.endAllSessions({ userId, survivingSessionId: "" }, stranger),
    ])
      await expect(call()).rejects.toEqual(code("permission_denied"));
  });
});
