import type { SignedIn } from "@turnpike/proto/auth/v1/identity_service";
import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type GatewayWorld, USERS, startGatewayWorld } from "./gateway-world.ts";

const IN: SignedIn = { sessionId: "new-session", expiresAtSeconds: 1, user: USERS.ada, pending: undefined };
const WAITING: SignedIn = {
  ...IN,
  sessionId: "",
  pending: { id: "waiting-id", expiresAtSeconds: 1, methods: ["totp", "recovery_code"] },
};
const SITE = "https://turnpike.example";
const FROM_SITE = { "sec-fetch-site": "same-origin" };
const FROM_ELSEWHERE = { "sec-fetch-site": "cross-site", origin: "https://evil.example" };

describe("sign-in methods over /api", () => {
  let world: GatewayWorld;
  beforeAll(async () => {
    world = await startGatewayWorld({ options: { GitHubOAuthEnabled: "true", EmailVerificationEnabled: "true" } });
    const { auth, identity } = world.fakes;
    auth.logout = async () => ({});
    identity.sendVerificationCode = async () => ({});
    identity.requestPasswordReset = async () => ({});
    identity.resetPassword = async () => ({ password: "a new password" });
    identity.register = async () => ({ userId: 8 });
    identity.beginOAuth = async ({ provider }) => ({
      state: "a state",
      url: provider && `https://${provider}.example/`,
    });
    identity.finishOAuth = async ({ bind }) => ({ signedIn: bind ? undefined : IN });
    identity.finishTelegram = async ({ bind }) => ({ signedIn: bind ? undefined : IN });
    identity.bindEmail = async () => ({});
    identity.unbind = async () => ({});
    identity.endAllSessions = async () => ({});
    identity.endSession = async () => ({});
    identity.setUpTwoFactor = async () => ({ secret: "S", otpauthUrl: "otpauth://totp/S" });
    identity.clearTwoFactor = async () => ({});
    identity.beginPasskeySignIn = async () => ({ optionsJson: `{"challenge":"c"}` });
    identity.finishPasskeySignIn = async () => ({ signedIn: IN });
    identity.finishSecondFactor = async () => ({ signedIn: IN });
    identity.listSessions = async () => ({
      sessions: [{ id: "h", current: true, address: "a", userAgent: "u", createdAtSeconds: 1, lastSeenAtSeconds: 2 }],
    });
  });
  afterAll(() => world.stop());
  beforeEach(() => {
    world.seen.splice(0);
    world.fakes.auth.login = async () => IN;
  });

  const getCookies = (response: { headers: Headers }): string[] => response.headers.getSetCookie();
  const data = (response: { body: { data: unknown } }): unknown => response.body.data;

  it("returns the documented shapes, with and without a trailing slash", async () => {
    for (const slash of ["", "/"]) {
      const mail = await world.call("GET", `/api/verification${slash}?email=a@example.com&turnstile=t`);
      expect(mail.body).toEqual({ success: true, message: "", data: null });
      expect(world.lastRequest("sendVerificationCode")).toMatchObject({
        email: "a@example.com",
        visitor: { turnstileToken: "t", address: "127.0.0.1" },
      });
      expect((await world.call("GET", `/api/reset_password${slash}?email=a@example.com`)).body.success).toBe(true);
      const reset = await world.call("POST", `/api/user/reset${slash}`, {
        body: { email: "a@example.com", token: "x" },
      });
      expect(data(reset)).toBe("a new password");
      const body = {
        username: "n",
        password: "p",
        password2: "p2",
        aff_code: "code",
        email: "a@b.c",
        verification_code: "1",
      };
      expect((await world.call("POST", `/api/user/register${slash}?turnstile=t`, { body })).body.success).toBe(true);
      expect(world.lastRequest("register")).toMatchObject({
        passwordAgain: "p2",
        affCode: "code",
        verificationCode: "1",
      });
      expect(data(await world.call("GET", `/api/oauth/state${slash}?aff=code`))).toBe("a state");
      expect(data(await world.call("GET", `/api/oauth/authorize${slash}?provider=github`))).toEqual({
        url: "https://github.example/",
        state: "a state",
      });
      const callback = await world.call("GET", `/api/oauth/github${slash}?code=c&state=s&iss=i`);
      expect(data(callback)).toMatchObject({ id: 7, username: "ada", must_change_password: false });
      expect(world.lastRequest("finishOAuth")).toMatchObject({
        provider: "github",
        code: "c",
        state: "s",
        params: { iss: "i" },
      });
      expect(data(await world.call("GET", `/api/user/sessions${slash}`, { as: "ada" }))).toEqual([
        { id: "h", current: true, address: "a", user_agent: "u", created_at: 1, last_seen_at: 2 },
      ]);
    }
    expect((await world.call("GET", "/api/status")).body.data).toMatchObject({
      github_oauth: true,
      email_verification: true,
      oidc_enabled: false,
    });
  });

  it("binds a started flow to the browser with a cookie that scripts cannot read", async () => {
    const first = await world.call("GET", "/api/oauth/state");
    const [cookie = ""] = getCookies(first);
    expect(cookie).toMatch(/^browser=[\w-]{32}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    const browserId = /^browser=([^;]+)/.exec(cookie)?.[1] ?? "";
    expect(world.lastRequest("beginOAuth")).toMatchObject({ visitor: { browserId } });
    const again = await world.call("GET", "/api/oauth/state", { headers: { cookie: `browser=${browserId}` } });
    expect(getCookies(again)).toEqual([]);
    expect(world.lastRequest("beginOAuth")).toMatchObject({ visitor: { browserId } });
  });

  it("reports the origin that the browser sees to a started flow", async () => {
    const begin = async (headers: Record<string, string>) => {
      await world.call("GET", "/api/oauth/authorize?provider=oidc", { headers });
      return world.lastRequest<{ origin: string }>("beginOAuth").origin;
    };
    const own = await begin({});
    expect(own).toMatch(/^http:\/\/(127\.0\.0\.1|localhost):\d+$/);
    const page = { referer: "https://public.example/login", "sec-fetch-site": "same-origin" };
    expect(await begin(page)).toBe("https://public.example");
    expect(await begin({ referer: "https://evil.example/", "sec-fetch-site": "cross-site" })).toBe(own);
    expect(await begin({ origin: "https://evil.example" })).toBe(own);
  });

  it("ends the previous session, and never reuses its id", async () => {
    const response = await world.call("POST", "/api/user/login", {
      as: "admin",
      body: { username: "a", password: "b" },
    });
    expect(getCookies(response)[0]).toContain("session=new-session;");
    expect(world.lastRequest("logout")).toEqual({ sessionId: "admin" });
  });

  it("waits for the second factor without a session, and clears the wait afterwards", async () => {
    world.fakes.auth.login = async () => WAITING;
    const first = await world.call("POST", "/api/user/login", { body: { username: "a", password: "b" } });
    expect(data(first)).toEqual({ require_2fa: true, methods: ["totp", "recovery_code"] });
    expect(getCookies(first).join("\n")).not.toContain("session=");
    expect(getCookies(first).join("\n")).toMatch(/sign_in=waiting-id; Path=\/; Max-Age=300; HttpOnly/);
    expect(JSON.stringify(first.body)).not.toContain("waiting-id");
    const headers = { cookie: "sign_in=waiting-id; browser=b" };
    const second = await world.call("POST", "/api/user/login/2fa", { headers, body: { code: "123456" } });
    expect(world.lastRequest("finishSecondFactor")).toMatchObject({ pendingId: "waiting-id", code: "123456" });
    expect(getCookies(second)[0]).toContain("session=new-session;");
    expect(getCookies(second)[1]).toContain("sign_in=; Path=/; Max-Age=0");
  });

  it("accepts a binding from our own page only", async () => {
    const paths = [
      "/api/oauth/wechat/bind?code=c",
      "/api/oauth/telegram/bind?id=1&hash=h",
      "/api/oauth/email/bind?email=e&code=c",
    ];
    for (const path of paths) {
      for (const headers of [FROM_ELSEWHERE, { "sec-fetch-site": "none" }, {}, { referer: "https://evil.example/" }]) {
        const response = await world.call("GET", path, { as: "ada", headers: headers as Record<string, string> });
        expect([response.status, response.body.code]).toEqual([403, "cross_site_refused"]);
      }
      for (const headers of [FROM_SITE, { referer: `${world.url}/app/me` }, { "veloera-user": "7" }])
        expect((await world.call("GET", path, { as: "ada", headers: headers as Record<string, string> })).status).toBe(
          200,
        );
    }
  });

  it("returns `bind` to a page and redirects a browser to the settings", async () => {
    const path = "/api/oauth/telegram/bind?id=1&hash=h";
    const requested = await world.call("GET", path, { as: "ada", headers: FROM_SITE });
    expect(requested.body).toEqual({ success: true, message: "bind", data: null });
    const followed = await world.call("GET", path, { as: "ada", headers: { ...FROM_SITE, accept: "text/html,*/*" } });
    expect([followed.status, followed.headers.get("location")]).toEqual([302, "/app/me"]);
  });

  it("refuses requests from other sites", async () => {
    for (const [method, path] of [
      ["POST", "/api/user/register"],
      ["POST", "/api/user/reset"],
      ["POST", "/api/user/login/2fa"],
      ["POST", "/api/user/passkey/login/finish"],
      ["POST", "/api/user/sessions/revoke_all"],
      ["DELETE", "/api/user/bindings/github"],
      ["GET", "/api/verification?email=a@example.com"],
      ["GET", "/api/reset_password?email=a@example.com"],
    ] as const) {
      const body = method === "POST" ? { body: {} } : {};
      expect((await world.call(method, path, { as: "ada", headers: FROM_ELSEWHERE, ...body })).status).toBe(403);
    }
    expect(world.seen.map(({ rpc }) => rpc)).toEqual([]);
  });

  it("prevents access tokens from changing how their owner signs in", async () => {
    const headers = { authorization: "Bearer ada" };
    for (const [method, path] of [
      ["POST", "/api/user/2fa/setup"],
      ["POST", "/api/user/passkey/register/begin"],
      ["DELETE", "/api/user/bindings/github"],
    ] as const)
      expect((await world.call(method, path, { headers })).status).toBe(403);
    expect((await world.call("POST", "/api/user/2fa/setup", { as: "ada" })).body.success).toBe(true);
  });

  it("requires a signed-in user, and an admin to clear another user's second factor", async () => {
    for (const path of ["/api/user/sessions", "/api/user/passkey", "/api/user/2fa/status"])
      expect((await world.call("GET", path)).status).toBe(401);
    expect((await world.call("DELETE", "/api/user/7/2fa", { as: "ada" })).status).toBe(403);
    expect((await world.call("DELETE", "/api/user/7/2fa", { as: "admin" })).body.success).toBe(true);
    expect(world.lastRequest("clearTwoFactor")).toEqual({ userId: 7 });
  });

  it("signs out everywhere, including this browser unless requested otherwise", async () => {
    const all = await world.call("POST", "/api/user/sessions/revoke_all", { as: "ada" });
    expect(world.lastRequest("endAllSessions")).toEqual({ userId: 7, survivingSessionId: "" });
    expect(getCookies(all).join()).toContain("session=; Path=/; Max-Age=0");
    const others = await world.call("POST", "/api/user/sessions/revoke_all", {
      as: "ada",
      body: { keep_current: true },
    });
    expect(world.lastRequest("endAllSessions")).toEqual({ userId: 7, survivingSessionId: "ada" });
    expect(getCookies(others)).toEqual([]);
  });

  it("passes the origin of the browser's page to auth, for passkeys", async () => {
    const origin = new URL(world.url).origin;
    const begun = await world.call("POST", "/api/user/passkey/login/begin", { headers: { origin } });
    expect(data(begun)).toEqual({ options: { challenge: "c" } });
    expect(world.lastRequest("beginPasskeySignIn")).toMatchObject({ origin });
    const finished = await world.call("POST", "/api/user/passkey/login/finish", { body: { credential: { id: "x" } } });
    expect(getCookies(finished)[0]).toContain("session=new-session;");
    expect(world.lastRequest("finishPasskeySignIn")).toMatchObject({ credentialJson: `{"id":"x"}` });
  });

  it("passes failures on with their statuses", async () => {
    world.fakes.identity.finishOAuth = async () => {
      throw new AppError("oauth_state_invalid", "no such state");
    };
    const refused = await world.call("GET", "/api/oauth/oidc?code=c&state=s");
    expect([refused.status, refused.body.code]).toEqual([403, "oauth_state_invalid"]);
    world.fakes.identity.finishOAuth = async ({ bind }) => ({ signedIn: bind ? undefined : IN });
    expect((await world.call("GET", "/api/oauth/nobody?code=c&state=s")).status).toBe(404);
    expect((await world.call("GET", "/api/oauth/authorize")).body.code).toBe("invalid_input");
  });
});

describe("sign-in methods on a site with https", () => {
  it("sets cookies that no http page and no subdomain can set", async () => {
    const world = await startGatewayWorld({ options: { ServerAddress: SITE } });
    world.fakes.identity.beginOAuth = async () => ({ state: "s", url: "" });
    const response = await world.call("GET", "/api/oauth/state", { headers: { cookie: "browser=planted" } });
    expect(response.headers.get("set-cookie")).toMatch(
      /^__Host-browser=[\w-]{32}; Path=\/; .*HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(world.lastRequest<{ visitor: { browserId: string } }>("beginOAuth").visitor.browserId).not.toBe("planted");
    await world.stop();
  });
});
