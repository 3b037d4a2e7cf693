import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Actor } from "@turnpike/shared/grpc/context";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AuthWorld, makeUser, setUp, startAuthWorld } from "./auth-world.ts";

/** A third-party site: responses by path, including redirects and errors. */
async function startElsewhere() {
  const responses: Record<string, { status?: number; location?: string; body?: string }> = {};
  const requested: string[] = [];
  const server: Server = createServer((request, response) => {
    const path = request.url ?? "";
    requested.push(path);
    const { status = 200, location, body = "" } = responses[path] ?? { status: 404 };
    response.writeHead(status, location === undefined ? {} : { location }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    responses: responses,
    requested,
    stop: () => new Promise<void>((resolve) => server.close(() => resolve())),
  };
}

describe("site setup helpers", () => {
  let world: AuthWorld;
  let root: { actor: Actor };
  let admin: { actor: Actor };
  let user: { actor: Actor };
  let elsewhere: Awaited<ReturnType<typeof startElsewhere>>;

  beforeAll(async () => {
    world = await startAuthWorld();
    elsewhere = await startElsewhere();
    root = await setUp(world);
    admin = await makeUser(world, root, { username: "admin", role: 10 });
    user = await makeUser(world, root, { username: "user" });
  });
  afterAll(async () => {
    await world.stop();
    await elsewhere.stop();
  });

  const set = (key: string, value: string) => world.client.setOption({ key, value }, root);
  const json = (value: unknown) => ({ body: JSON.stringify(value) });

  describe("OIDC discovery", () => {
    const DOCUMENT = {
      issuer: "https://id.example",
      authorization_endpoint: "https://id.example/authorize",
      token_endpoint: "https://id.example/token",
      userinfo_endpoint: "https://id.example/me",
      scopes_supported: ["openid", "email"],
    };
    const discover = (wellKnown: string, by = admin) => world.site.discoverOidc({ wellKnown }, by);

    it("reads the provider's document, also after a redirect, and stores nothing", async () => {
      elsewhere.responses["/.well-known/openid-configuration"] = { status: 302, location: "/real" };
      elsewhere.responses["/real"] = json(DOCUMENT);
      const { revision } = await world.client.getOptionsSnapshot({});
      expect(await discover(elsewhere.url)).toEqual({
        issuer: "https://id.example",
        authorizationEndpoint: "https://id.example/authorize",
        tokenEndpoint: "https://id.example/token",
        userInfoEndpoint: "https://id.example/me",
        endSessionEndpoint: "",
        scopes: ["openid", "email"],
        wellKnown: `${elsewhere.url}/.well-known/openid-configuration`,
      });
      expect((await world.client.getOptionsSnapshot({})).revision).toBe(revision);
    });

    it.each([
      ["/missing/.well-known/x", "HTTP 404"],
      ["/page/.well-known/x", "not JSON"],
      ["/short/.well-known/x", "token_endpoint"],
      ["/loop/.well-known/x", "too many redirects"],
    ])("reports what is wrong with %s: %s", async (path, detail) => {
      elsewhere.responses["/page/.well-known/x"] = { body: "<html>hello</html>" };
      elsewhere.responses["/short/.well-known/x"] = json({ ...DOCUMENT, token_endpoint: undefined });
      elsewhere.responses["/loop/.well-known/x"] = { status: 301, location: "/loop/.well-known/x" };
      await expect(discover(elsewhere.url + path)).rejects.toMatchObject({
        code: "oidc_discovery_failed",
        params: { detail },
      });
    });

    it("never calls a private address: loopback, cloud metadata, or a redirect to one", async () => {
      elsewhere.responses["/away/.well-known/x"] = { status: 302, location: "http://169.254.169.254/latest/meta-data" };
      for (const address of [
        "http://10.0.0.1/.well-known/x",
        "http://169.254.169.254/.well-known/x",
        "http://[::1]:8080/.well-known/x",
        "http://[fd00::1]/.well-known/x",
        `${elsewhere.url}/away/.well-known/x`,
      ])
        await expect(discover(address)).rejects.toMatchObject({ code: "address_not_allowed" });
    });
  });

  describe("preset ratios", () => {
    const fetchPreset = (source: string, by = admin) => world.site.fetchPresetRatios({ source }, by);

    it("requires an address set by the operator, and a known source", async () => {
      await expect(fetchPreset("flexible")).rejects.toMatchObject({ code: "preset_address_missing" });
      await expect(fetchPreset("../etc")).rejects.toMatchObject({ code: "preset_source_unknown" });
    });

    it("reads the locations of the compatible gateways' files", async () => {
      await set("PresetRatioAddress", `${elsewhere.url}/ratios/`);
      elsewhere.responses["/ratios/flexible/prompt.json"] = json({ "gpt-4o": 1.25 });
      elsewhere.responses["/ratios/flexible/completion.json"] = json({ "gpt-4o": 4 });
      elsewhere.responses["/ratios/completion.json"] = json({ "gpt-4": 2 });
      expect(await fetchPreset("flexible")).toEqual({
        modelRatio: { "gpt-4o": 1.25 },
        completionRatio: { "gpt-4o": 4 },
        hasModelRatio: true,
      });
      expect(await fetchPreset("legacy")).toEqual({
        modelRatio: {},
        completionRatio: { "gpt-4": 2 },
        hasModelRatio: false,
      });
    });

    it("refuses files that are not ratio tables", async () => {
      elsewhere.responses["/ratios/openrouter/completion.json"] = json({});
      for (const body of ['{"a":-1}', '{"a":"1"}', "[1]", "{", '{"a":1e400}']) {
        elsewhere.responses["/ratios/openrouter/prompt.json"] = { body };
        await expect(fetchPreset("openrouter")).rejects.toMatchObject({ code: "preset_fetch_failed" });
      }
    });
  });

  describe("update check", () => {
    const check = (by = admin) => world.site.checkForUpdate({ currentVersion: "1.2.3" }, by);
    const problem = async () => (await check()).problem;

    it("returns the latest release and whether it is newer", async () => {
      expect(await problem()).toBe("not_configured");
      await set("UpdateCheckAddress", `${elsewhere.url}/release`);
      elsewhere.responses["/release"] = json({
        tag_name: "v1.10.0",
        html_url: "https://code.example/releases/v1.10.0",
        published_at: "2026-11-01T00:00:00Z",
      });
      expect(await check()).toEqual({
        latestVersion: "v1.10.0",
        isNewer: true,
        url: "https://code.example/releases/v1.10.0",
        publishedAt: "2026-11-01T00:00:00Z",
        problem: "",
      });
    });

    it("reports a failure without an error, and links to http and https only", async () => {
      elsewhere.responses["/release"] = json({ tag_name: "v2", html_url: "javascript:alert(1)" });
      expect(await check()).toMatchObject({ latestVersion: "v2", url: "", problem: "" });
      elsewhere.responses["/release"] = { status: 500 };
      expect(await problem()).toBe("unreachable");
      elsewhere.responses["/release"] = { body: "<html>" };
      expect(await problem()).toBe("unreadable");
      elsewhere.responses["/release"] = json({ name: "no tag" });
      expect(await problem()).toBe("unreadable");
      await set("UpdateCheckAddress", "http://169.254.169.254/release");
      expect(await problem()).toBe("unreachable");
    });
  });

  it("is available to admins only", async () => {
    for (const call of [
      () => world.site.listSecretStates({}, user),
      () => world.site.discoverOidc({ wellKnown: elsewhere.url }, user),
      () => world.site.fetchPresetRatios({ source: "flexible" }, user),
      () => world.site.checkForUpdate({ currentVersion: "1" }, user),
    ])
      await expect(call()).rejects.toMatchObject({ code: "permission_denied" });
    await expect(world.site.checkForUpdate({ currentVersion: "1" })).rejects.toMatchObject({ code: "unauthenticated" });
  });
});
