import type { Visitor } from "@turnpike/proto/auth/v1/auth_service";
import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { telegramHash } from "../../../services/auth/src/oauth/telegram.ts";
import { type AuthWorld, code, makeUser, setUp, signIn, startAuthWorld } from "./auth-world.ts";
import { form, letTimePass, setOptions, visitor } from "./identity-world.ts";
import { startThirdParties, type ThirdParties } from "./third-parties.ts";

const BOT_TOKEN = "123456:bot token";
const OPTIONS = {
  GitHubClientId: "github client",
  GitHubClientSecret: "github secret",
  GitHubOAuthEnabled: "true",
  LinuxDOClientId: "linuxdo client",
  LinuxDOClientSecret: "linuxdo secret",
  LinuxDOOAuthEnabled: "true",
  WeChatServerToken: "wechat token",
  TelegramBotToken: BOT_TOKEN,
  TelegramBotName: "a_bot",
  TelegramOAuthEnabled: "true",
  ServerAddress: "https://turnpike.example",
};

describe("third-party sign-in", () => {
  let parties: ThirdParties;
  let world: AuthWorld;
  let root: { actor: Actor };
  beforeAll(async () => {
    parties = await startThirdParties();
    world = await startAuthWorld({ endpoints: parties.endpoints });
    root = await setUp(world);
    await setOptions(world, root, OPTIONS);
    await setOptions(world, root, { WeChatServerAddress: parties.url, WeChatAuthEnabled: "true" });
  });
  afterAll(async () => {
    await world.stop();
    parties.stop();
  });
  beforeEach(() => letTimePass(world));

  type Where = { browser?: Visitor; sessionId?: string };
  const begin = async (provider = "", { browser = visitor(), sessionId = "" }: Where = {}, affCode = "") =>
    world.identity.beginOAuth({ provider, affCode, sessionId, visitor: browser, origin: "" });
  const finish = async (
    provider: string,
    back: { code: string; state: string },
    { browser = visitor(), sessionId = "" }: Where = {},
  ): Promise<SignedIn | undefined> => {
    const requested = { provider, ...back, params: {}, bind: false, sessionId, visitor: browser };
    return (await world.identity.finishOAuth(requested)).signedIn;
  };
  const wechat = (ownCode: string, bind = false, sessionId = "", browser = visitor()) =>
    world.identity.finishOAuth({
      provider: "wechat",
      code: ownCode,
      state: "",
      params: {},
      bind,
      sessionId,
      visitor: browser,
    });
  let count = 0;
  const githubCode = (id: number, more: object = {}) =>
    parties.codeFor(`github:${id}:${++count}`, { id, login: `login${id}`, name: `Person ${id}`, ...more });

  describe("GitHub", () => {
    it("signs in, and creates the account the first time, identified by GitHub's user id", async () => {
      const { state, url } = await begin("github");
      const way = new URL(url).searchParams;
      expect(Object.fromEntries(way)).toMatchObject({
        client_id: "github client",
        state,
        redirect_uri: "https://turnpike.example/oauth/github",
        code_challenge_method: "S256",
      });
      const first = await finish("github", { code: githubCode(1, { email: "one@example.com" }), state });
      expect(first?.user).toMatchObject({ githubId: "1", displayName: "Person 1", email: "one@example.com", role: 1 });
      expect(first?.user?.username).toBe(`github_${first?.user?.id}`);
      const requested = parties.requested.findLast(({ path }) => path === "/github/token");
      expect(requested?.form.get("client_secret")).toBe("github secret");
      expect(requested?.form.get("code_verifier")).toMatch(/^[\w-]{43}$/);
      const again = await finish("github", { code: githubCode(1, { login: "renamed" }), state: (await begin()).state });
      expect(again?.user?.id).toBe(first?.user?.id);
      await expect(world.client.resolveSession({ sessionId: again?.sessionId ?? "" })).resolves.toBeDefined();
    });

    it("creates one account for ten concurrent sign-ins", async () => {
      const states = await Promise.all(Array.from({ length: 10 }, () => begin()));
      const users = await Promise.all(states.map(({ state }) => finish("github", { code: githubCode(2), state })));
      expect(new Set(users.map((user) => user?.user?.id)).size).toBe(1);
    });

    it("accepts an invitation, and credits it", async () => {
      await setOptions(world, root, { QuotaForInvitee: "77" });
      const { user } = await world.client.getUser({ id: root.actor.userId });
      const { state } = await begin("github", {}, user?.affCode);
      const invited = await finish("github", { code: githubCode(3), state });
      expect(invited?.user?.inviterId).toBe(root.actor.userId);
      expect(world.billing.credited).toContainEqual(
        expect.objectContaining({ reference: `invitation:${invited?.user?.id}`, amount: 77 }),
      );
    });

    it("neither takes over the address of an existing user nor signs in by it", async () => {
      const { state } = await begin();
      const stranger = await finish("github", { code: githubCode(4, { email: "ONE@example.com" }), state });
      expect(stranger?.user?.email).toBe("");
    });

    it("refuses states that are forged, used, from another browser, or from another provider", async () => {
      const invalid = code("oauth_state_invalid");
      for (const state of ["", "forged", "x".repeat(43)])
        await expect(finish("github", { code: githubCode(5), state })).rejects.toEqual(invalid);
      const { state } = await begin("github");
      const elsewhere = { browser: visitor({ browserId: "another browser" }) };
      await expect(finish("github", { code: githubCode(5), state }, elsewhere)).rejects.toEqual(invalid);
      // A failed attempt uses the state up as well.
      await expect(finish("github", { code: githubCode(5), state })).rejects.toEqual(invalid);
      const ofLinuxDo = await begin("linuxdo");
      await expect(finish("github", { code: githubCode(5), state: ofLinuxDo.state })).rejects.toEqual(invalid);
      const used = await begin("github");
      await finish("github", { code: githubCode(5), state: used.state });
      await expect(finish("github", { code: githubCode(5), state: used.state })).rejects.toEqual(invalid);
      await expect(begin("github", { browser: visitor({ browserId: "" }) })).rejects.toEqual(invalid);
    });

    it("refuses a used code, and reports that GitHub does not respond", async () => {
      const own = githubCode(6);
      await finish("github", { code: own, state: (await begin()).state });
      await expect(finish("github", { code: own, state: (await begin()).state })).rejects.toEqual(
        code("oauth_code_refused"),
      );
      await expect(finish("github", { code: "", state: (await begin()).state })).rejects.toEqual(
        code("oauth_code_refused"),
      );
    });

    it("binds to the user who started signed in, and to no other", async () => {
      const ann = await makeUser(world, root, { username: "ann" });
      const sessionId = await signIn(world, "ann");
      const { state } = await begin("github", { sessionId });
      // Another user's session in the same browser, or none: the state was not created for it.
      await makeUser(world, root, { username: "mallory" });
      const mallory = await signIn(world, "mallory");
      await expect(finish("github", { code: githubCode(7), state }, { sessionId: mallory })).rejects.toEqual(
        code("oauth_state_invalid"),
      );
      const signedOut = await begin("github", { sessionId });
      await expect(finish("github", { code: githubCode(7), state: signedOut.state })).rejects.toEqual(
        code("oauth_state_invalid"),
      );
      const own = await begin("github", { sessionId });
      expect(await finish("github", { code: githubCode(7), state: own.state }, { sessionId })).toBeUndefined();
      expect((await world.client.getUser({ id: ann.actor.userId })).user?.githubId).toBe("7");
      const other = await begin("github", { sessionId: mallory });
      await expect(
        finish("github", { code: githubCode(7), state: other.state }, { sessionId: mallory }),
      ).rejects.toEqual(code("oauth_already_bound"));
      await world.identity.unbind({ userId: ann.actor.userId, type: "github" }, ann);
      expect((await world.client.getUser({ id: ann.actor.userId })).user?.githubId).toBe("");
    });

    it("refuses banned and deregistered users", async () => {
      const { user } = (await finish("github", { code: githubCode(8), state: (await begin()).state })) ?? {};
      await world.client.manageUser({ id: user?.id ?? 0, action: "disable" }, root);
      await expect(finish("github", { code: githubCode(8), state: (await begin()).state })).rejects.toEqual(
        code("user_banned"),
      );
      await world.client.manageUser({ id: user?.id ?? 0, action: "delete" }, root);
      await expect(finish("github", { code: githubCode(8), state: (await begin()).state })).rejects.toEqual(
        code("user_deregistered"),
      );
    });

    it("keeps the last way to sign in, and lets its user set a first password", async () => {
      const signedIn = await finish("github", { code: githubCode(9), state: (await begin()).state });
      const userId = signedIn?.user?.id ?? 0;
      const own = { actor: { userId, username: signedIn?.user?.username ?? "", role: 1, address: "" } };
      await expect(world.identity.unbind({ userId, type: "github" }, own)).rejects.toEqual(code("last_sign_in_method"));
      await expect(signIn(world, signedIn?.user?.username ?? "", "")).rejects.toBeDefined();
      await world.client.updateSelf(
        { id: userId, password: "a first one", originalPassword: "", sessionId: signedIn?.sessionId ?? "" },
        own,
      );
      await expect(signIn(world, signedIn?.user?.username ?? "", "a first one")).resolves.toBeDefined();
      await expect(world.identity.unbind({ userId, type: "github" }, own)).resolves.toEqual({});
    });

    it("is disabled by its switch, and creates no account while registration is closed", async () => {
      await setOptions(world, root, { RegisterEnabled: "false" });
      await expect(finish("github", { code: githubCode(10), state: (await begin()).state })).rejects.toEqual(
        code("register_disabled"),
      );
      await setOptions(world, root, { RegisterEnabled: "true", GitHubOAuthEnabled: "false" });
      await expect(begin("github")).rejects.toEqual(code("oauth_disabled"));
      await expect(finish("github", { code: githubCode(10), state: (await begin()).state })).rejects.toEqual(
        code("oauth_disabled"),
      );
      await setOptions(world, root, { GitHubOAuthEnabled: "true" });
      await expect(begin("nobody's")).rejects.toEqual(code("oauth_disabled"));
    });
  });

  describe("LINUX DO", () => {
    const linuxDoCode = (id: number, more: object = {}) =>
      parties.codeFor(`linuxdo:${id}:${++count}`, { id, username: `do${id}`, name: "", trust_level: 1, ...more });

    it("signs in with Basic client authentication and the site's own callback", async () => {
      const { state } = await begin("linuxdo");
      const signedIn = await finish("linuxdo", { code: linuxDoCode(1), state });
      expect(signedIn?.user).toMatchObject({ linuxDoId: "1", displayName: "do1" });
      const requested = parties.requested.findLast(({ path }) => path === "/linuxdo/token");
      const credentials = Buffer.from("linuxdo client:linuxdo secret").toString("base64");
      expect(requested?.headers.authorization).toBe(`Basic ${credentials}`);
      expect(requested?.form.get("redirect_uri")).toBe("https://turnpike.example/oauth/linuxdo");
    });

    it("requires the site's trust level", async () => {
      await setOptions(world, root, { LinuxDOMinimumTrustLevel: "2" });
      await expect(finish("linuxdo", { code: linuxDoCode(2), state: (await begin()).state })).rejects.toMatchObject({
        code: "oauth_trust_level_too_low",
        params: { needed: "2" },
      });
      const trusted = linuxDoCode(2, { trust_level: 2 });
      await expect(finish("linuxdo", { code: trusted, state: (await begin()).state })).resolves.toBeDefined();
      await expect(
        finish("linuxdo", { code: linuxDoCode(3, { trust_level: 4, active: false }), state: (await begin()).state }),
      ).rejects.toEqual(code("oauth_code_refused"));
    });
  });

  describe("WeChat", () => {
    it("signs in and binds with a code of the site's WeChat account", async () => {
      const { signedIn } = await wechat("good-w1");
      expect(signedIn?.user).toMatchObject({ wechatId: "w1", displayName: "WeChat User" });
      expect((await wechat("good-w1")).signedIn?.user?.id).toBe(signedIn?.user?.id);
      const user = await makeUser(world, root, { username: "wechatter" });
      const sessionId = await signIn(world, "wechatter");
      expect((await wechat("good-w2", true, sessionId)).signedIn).toBeUndefined();
      expect((await world.client.getUser({ id: user.actor.userId })).user?.wechatId).toBe("w2");
      await expect(wechat("good-w1", true, sessionId)).rejects.toEqual(code("oauth_already_bound"));
      await expect(wechat("good-w3", true, "")).rejects.toEqual(code("unauthenticated"));
    });

    it("limits guessing of codes", async () => {
      const from = visitor({ address: "198.51.100.3" });
      for (let tries = 0; tries < 10; tries++)
        await expect(wechat(`guess-${tries}`, false, "", from)).rejects.toEqual(code("wechat_code_wrong"));
      await expect(wechat("good-w1", false, "", from)).rejects.toEqual(code("rate_limited"));
    });

    it("never calls an internal address that the operator has not allowed", async () => {
      await setOptions(world, root, { WeChatServerAddress: "http://127.0.0.2:8080" });
      await expect(wechat("good-w1")).rejects.toMatchObject({
        code: "address_not_allowed",
        params: { host: "127.0.0.2" },
      });
      await setOptions(world, root, { WeChatServerAddress: "http://169.254.169.254/latest" });
      await expect(wechat("good-w1")).rejects.toEqual(code("address_not_allowed"));
      await setOptions(world, root, { WeChatServerAddress: parties.url });
    });
  });

  describe("Telegram", () => {
    const widget = (id: string, ageSeconds = 5, token = BOT_TOKEN): Record<string, string> => {
      const date = String(Math.floor(Date.now() / 1000) - ageSeconds);
      const fields = { id, first_name: `Ada ${++count}`, auth_date: date };
      return { ...fields, hash: telegramHash(fields, token) };
    };
    const telegram = (fields: Record<string, string>, bind = false, sessionId = "") =>
      world.identity.finishTelegram({ fields, bind, sessionId, visitor: visitor() });

    it("signs in users who have bound it before, and creates no account", async () => {
      await expect(telegram(widget("41"))).rejects.toEqual(code("telegram_not_bound"));
      const user = await makeUser(world, root, { username: "telegrapher" });
      const sessionId = await signIn(world, "telegrapher");
      expect((await telegram(widget("41", 6), true, sessionId)).signedIn).toBeUndefined();
      expect((await telegram(widget("41", 7))).signedIn?.user?.id).toBe(user.actor.userId);
      await world.client.manageUser({ id: user.actor.userId, action: "disable" }, root);
      await expect(telegram(widget("41", 8))).rejects.toEqual(code("user_banned"));
    });

    it("refuses forged, old and used data", async () => {
      const invalid = code("telegram_data_invalid");
      await expect(telegram({ ...widget("41"), id: "42" })).rejects.toEqual(invalid);
      await expect(telegram(widget("41", 5, "another:token"))).rejects.toEqual(invalid);
      await expect(telegram(widget("41", 301))).rejects.toEqual(invalid);
      const fresh = widget("43", 9);
      await expect(telegram(fresh)).rejects.toEqual(code("telegram_not_bound"));
      await expect(telegram(fresh)).rejects.toEqual(invalid);
    });
  });

  describe("Turnstile", () => {
    beforeAll(() =>
      setOptions(world, root, {
        TurnstileSiteKey: "site key",
        TurnstileSecretKey: "turnstile secret",
        TurnstileCheckEnabled: "true",
      }),
    );
    afterAll(() => setOptions(world, root, { TurnstileCheckEnabled: "false" }));

    it("is required for sign-in, registration and mails, and remembers the browser that passed", async () => {
      const human = visitor({ browserId: "a human's", address: "192.0.2.9", turnstileToken: "answer" });
      const login = (from: Visitor) =>
        world.client.login({
          username: "root",
          password: "wrong one",
          address: "192.0.2.9",
          userAgent: "",
          visitor: from,
        });
      await expect(login({ ...human, turnstileToken: "" })).rejects.toEqual(code("turnstile_required"));
      await expect(login(human)).rejects.toEqual(code("turnstile_failed"));
      await expect(world.identity.register(form({ visitor: human }))).rejects.toEqual(code("turnstile_failed"));
      for (const call of [
        () => world.identity.sendVerificationCode({ email: "a@example.com", visitor: human }),
        () => world.identity.requestPasswordReset({ email: "a@example.com", visitor: human }),
      ])
        await expect(call()).rejects.toEqual(code("turnstile_failed"));
      parties.goodWidgetResponses.add("answer");
      await expect(login(human)).rejects.toEqual(code("login_failed"));
      await expect(login({ ...human, turnstileToken: "" })).rejects.toEqual(code("login_failed"));
      await expect(login({ ...human, browserId: "another" })).rejects.toEqual(code("turnstile_failed"));
      await expect(login({ ...human, address: "192.0.2.10" })).rejects.toBeDefined();
      await expect(world.client.login({ username: "root", password: "x", address: "", userAgent: "" })).rejects.toEqual(
        code("turnstile_required"),
      );
    });
  });

  it("returns no provider secret in any response of auth", async () => {
    const reported = JSON.stringify([
      await world.client.listOptions({}, root),
      await world.client.getOptionsSnapshot({}),
      await world.client.listUsers(
        { page: 1, pageSize: 100, keyword: "", group: "", role: 0, status: 0, ids: [] },
        root,
      ),
    ]);
    for (const secret of ["github secret", "linuxdo secret", "wechat token", BOT_TOKEN, "turnstile secret"])
      expect(reported).not.toContain(secret);
  });
});
