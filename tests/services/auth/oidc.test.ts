import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AuthWorld, code, makeUser, setUp, signIn, startAuthWorld } from "./auth-world.ts";
import { letTimePass, setOptions, visitor } from "./identity-world.ts";
import { CLIENT, type Forgery, startHostileProvider, startRealProvider } from "./oidc-providers.ts";

const CLAIMS = {
  ada: { name: "Ada L.", preferred_username: "ada.l", email: "ada@corp.example", email_verified: true },
  bob: { name: "Bob", email: "bob@bad.example", email_verified: true },
  grace: { name: "Grace", email: "grace@good.example", email_verified: true },
  alias: { name: "Alias", email: "first.last@good.example", email_verified: true },
  mallory: { name: "Mallory", email: "mallory@good.example", email_verified: false },
  eve: { name: "Eve", preferred_username: "root", email: "unproved@corp.example", email_verified: false },
};

describe("OpenID Connect", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  let real: Awaited<ReturnType<typeof startRealProvider>>;
  let hostile: Awaited<ReturnType<typeof startHostileProvider>>;
  beforeAll(async () => {
    [real, hostile] = [await startRealProvider(CLAIMS), await startHostileProvider()];
    world = await startAuthWorld();
    root = await setUp(world);
    await setOptions(world, root, {
      ServerAddress: "https://turnpike.example",
      "oidc.client_id": CLIENT.id,
      "oidc.client_secret": CLIENT.secret,
      "oidc.well_known": real.wellKnown,
      "oidc.enabled": "true",
    });
  });
  afterAll(async () => {
    await world.stop();
    real.stop();
    hostile.stop();
  });
  beforeEach(() => letTimePass(world));

  const begin = (sessionId = "") =>
    world.identity.beginOAuth({ provider: "oidc", affCode: "", sessionId, visitor: visitor(), origin: "" });
  const finish = (params: Record<string, string>, sessionId = "") =>
    world.identity.finishOAuth({
      provider: "oidc",
      code: params["code"] ?? "",
      state: params["state"] ?? "",
      params,
      bind: false,
      sessionId,
      visitor: visitor(),
    });

  describe("real provider with PKCE", () => {
    it("signs in by discovery, code, verifier, nonce and signature", async () => {
      const { url } = await begin();
      const way = new URL(url).searchParams;
      expect(way.get("nonce")).toMatch(/^[\w-]{43}$/);
      expect(way.get("code_challenge_method")).toBe("S256");
      const { signedIn } = await finish(await real.walk(url, "ada"));
      expect(signedIn?.user).toMatchObject({
        oidcId: "ada",
        username: "ada.l",
        displayName: "Ada L.",
        email: "ada@corp.example",
      });
      const again = await finish(await real.walk((await begin()).url, "ada"));
      expect(again.signedIn?.user?.id).toBe(signedIn?.user?.id);
    });

    it("never reuses a taken name or an unverified address", async () => {
      const { signedIn } = await finish(await real.walk((await begin()).url, "eve"));
      expect(signedIn?.user?.username).toBe(`oidc_${signedIn?.user?.id}`);
      expect(signedIn?.user?.email).toBe("");
    });

    it("binds to the signed-in user who started the flow", async () => {
      const ann = await makeUser(world, root, { username: "ann" });
      const sessionId = await signIn(world, "ann");
      const back = await real.walk((await begin(sessionId)).url, "of ann");
      expect((await finish(back, sessionId)).signedIn).toBeUndefined();
      expect((await world.client.getUser({ id: ann.actor.userId })).user?.oidcId).toBe("of ann");
    });

    it("refuses a used code, a code of another sign-in, and a denied consent", async () => {
      const used = await real.walk((await begin()).url, "ada");
      await finish(used);
      await expect(finish(used)).rejects.toEqual(code("oauth_state_invalid"));
      const { state } = await begin();
      await expect(finish({ ...used, state })).rejects.toEqual(code("oauth_code_refused"));
      // Another browser's code, injected with our own state: the verifier does not match.
      const [own, theirs] = [await begin(), await begin()];
      const stolen = await real.walk(theirs.url, "ada");
      await expect(finish({ ...stolen, state: own.state })).rejects.toEqual(code("oauth_code_refused"));
      const denied = { error: "access_denied", state: (await begin()).state };
      await expect(finish(denied)).rejects.toEqual(code("oauth_code_refused"));
    });

    it("refuses a response that names another issuer", async () => {
      const back = await real.walk((await begin()).url, "ada");
      await expect(finish({ ...back, iss: hostile.issuer })).rejects.toEqual(code("oauth_response_invalid"));
    });
  });

  describe("without ServerAddress", () => {
    beforeAll(() => setOptions(world, root, { ServerAddress: "" }));
    afterAll(() => setOptions(world, root, { ServerAddress: "https://turnpike.example" }));

    it("sends the callback to the origin that the browser sees, at both requests", async () => {
      const origin = "https://seen.example";
      const begun = { provider: "oidc", affCode: "", sessionId: "", visitor: visitor(), origin };
      const { url } = await world.identity.beginOAuth(begun);
      expect(new URL(url).searchParams.get("redirect_uri")).toBe(CLIENT.seenRedirect);
      expect((await finish(await real.walk(url, "ada"))).signedIn?.user?.oidcId).toBe("ada");
    });

    it("keeps the callback of a started sign-in when an administrator sets the address meanwhile", async () => {
      const origin = "https://seen.example";
      const begun = { provider: "oidc", affCode: "", sessionId: "", visitor: visitor(), origin };
      const { url } = await world.identity.beginOAuth(begun);
      await setOptions(world, root, { ServerAddress: "https://turnpike.example" });
      expect((await finish(await real.walk(url, "ada"))).signedIn?.user?.oidcId).toBe("ada");
      await setOptions(world, root, { ServerAddress: "" });
    });

    it("refuses to start when no origin is known", async () => {
      await expect(begin()).rejects.toEqual(code("site_address_unknown"));
    });
  });

  describe("list of domains", () => {
    beforeAll(() =>
      setOptions(world, root, { EmailDomainWhitelist: "good.example", EmailDomainRestrictionEnabled: "true" }),
    );
    afterAll(() => setOptions(world, root, { EmailDomainRestrictionEnabled: "false" }));
    const signUp = async (account: string) => finish(await real.walk((await begin()).url, account));

    it("decides who may register, and gives no credit to others", async () => {
      const opened = world.billing.opened.length;
      await expect(signUp("bob")).rejects.toEqual(code("email_domain_not_allowed"));
      await expect(signUp("mallory")).rejects.toMatchObject({ code: "oauth_email_required" });
      expect(world.billing.opened).toHaveLength(opened);
      expect((await signUp("grace")).signedIn?.user?.email).toBe("grace@good.example");
    });

    it("does not lock out users who registered before", async () => {
      expect((await signUp("ada")).signedIn?.user?.oidcId).toBe("ada");
    });

    it("accepts an alias of a listed domain, without storing it", async () => {
      await setOptions(world, root, { EmailAliasRestrictionEnabled: "true" });
      expect((await signUp("alias")).signedIn?.user?.email).toBe("");
      await setOptions(world, root, { EmailAliasRestrictionEnabled: "false" });
    });
  });

  describe("hostile provider", () => {
    beforeAll(() => setOptions(world, root, { "oidc.well_known": hostile.wellKnown }));

    const comeBackWith = async (forgery: Forgery) => {
      const { url, state } = await begin();
      hostile.forgeResponse(url, forgery);
      return finish({ code: "any", state });
    };

    it("accepts a valid token, as a control for the refusals below", async () => {
      expect((await comeBackWith({})).signedIn?.user?.oidcId).toBe("victim");
      expect(hostile.verifierFitted()).toBe(true);
    });

    it.each<[string, Forgery, RegExp]>([
      ["is not signed", { algorithm: "none" }, /signed with none; .*RS256/],
      ["is signed with the client's secret", { algorithm: "HS256" }, /signed with HS256; .*RS256/],
      ["is signed with another key", { isOtherKey: true }, /signature/],
      ["has another nonce", { claims: { nonce: "another" } }, /"nonce"/],
      ["has no nonce", { claims: { nonce: undefined } }, /"nonce"/],
      ["is for another site", { claims: { aud: "another" } }, /"aud"/],
      ["is another issuer's", { claims: { iss: "https://another.example" } }, /"iss"/],
      ["has expired", { claims: { exp: 1_700_000_000 } }, /"exp"/],
      ["names no user", { claims: { sub: undefined } }, /"sub"/],
      ["names its user by a number", { claims: { sub: 42 } }, /"sub".*type/],
      [
        "names its user by too long a text",
        { claims: { sub: "x".repeat(256) }, userinfoSub: "x".repeat(256) },
        /"sub"/,
      ],
      ["has another subject than userinfo", { userinfoSub: "another" }, /"sub"/],
    ])("refuses an id token that %s, and names what is wrong", async (_, forgery, detail) => {
      await expect(comeBackWith(forgery)).rejects.toMatchObject({
        code: "oauth_response_invalid",
        params: { provider: "OIDC", detail: expect.stringMatching(detail) },
      });
    });
  });

  it("never calls an internal address that the operator has not allowed, and reports a provider that does not respond", async () => {
    await setOptions(world, root, { "oidc.well_known": "http://169.254.169.254/.well-known/openid-configuration" });
    await expect(begin()).rejects.toMatchObject({ code: "address_not_allowed", params: { host: "169.254.169.254" } });
    await setOptions(world, root, { "oidc.well_known": "http://127.0.0.1:2/.well-known/openid-configuration" });
    await expect(begin()).rejects.toEqual(code("oauth_provider_unreachable"));
  });
});
