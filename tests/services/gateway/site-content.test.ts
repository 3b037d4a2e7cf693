import { createHash } from "node:crypto";
import { OidcDiscovery, PresetRatios, SecretStates, UpdateCheck } from "@turnpike/contract/api/option";
import { AppError } from "@turnpike/shared/errors/app-error";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type GatewayWorld, startGatewayWorld } from "./gateway-world.ts";

const SCRIPT = "window.stats = 1";

describe("custom code of the root user", () => {
  let world: GatewayWorld;
  const options: Record<string, string> = {};

  beforeAll(async () => {
    world = await startGatewayWorld();
    world.fakes.auth.getOptionsSnapshot = async () => ({
      revision: 1,
      options: Object.entries(options).map(([key, value]) => ({ key, value })),
    });
    world.fakes.auth.setOption = async ({ key, value }) => {
      options[key] = value;
      return { revision: 2 };
    };
  });
  afterAll(() => world.stop());

  const set = (key: string, value: string) => world.call("PUT", "/api/option/", { as: "root", body: { key, value } });
  const getPolicy = (headers: Headers): string => String(headers.get("content-security-policy"));

  it("is absent from the page while none is stored, with a strict policy", async () => {
    const page = await world.call("GET", "/login");
    expect(page.body).not.toContain("/custom/");
    expect(getPolicy(page.headers)).toContain("script-src 'self';");
    for (const file of ["/custom/global.css", "/custom/global.js"])
      expect((await world.call("GET", file)).status).toBe(204);
  });

  it("is in every page as soon as it is stored, with a policy that allows exactly that code", async () => {
    await set("custom_head_html", `<script>${SCRIPT}</script><script src="https://tag.example/t.js"></script>`);
    await set("global_css", "body { color: teal }");
    await set("global_js", "console.log('hi')");
    const page = await world.call("GET", "/app/tokens");
    expect(page.body).toContain(`<script>${SCRIPT}</script>`);
    expect(page.body.indexOf(SCRIPT)).toBeLessThan(page.body.indexOf("</head>"));
    const scripts = getPolicy(page.headers)
      .split(";")
      .find((part) => part.trim().startsWith("script-src"));
    const hash = createHash("sha256").update(SCRIPT).digest("base64");
    expect(scripts?.trim()).toBe(`script-src 'self' 'sha256-${hash}' https://tag.example`);
    expect(getPolicy((await world.call("GET", "/api/status")).headers)).toContain("script-src 'self';");
  });

  it("is served as files that a browser revalidates and keeps while they are unchanged", async () => {
    const css = await world.call("GET", "/custom/global.css");
    expect([css.status, css.body, css.headers.get("content-type")]).toEqual([
      200,
      "body { color: teal }",
      "text/css; charset=utf-8",
    ]);
    expect(css.headers.get("cache-control")).toBe("no-cache");
    // As a browser requests; without the first header, fetch bypasses every cache.
    const headers = { "cache-control": "max-age=0", "if-none-match": String(css.headers.get("etag")) };
    expect((await world.call("GET", "/custom/global.css", { headers })).status).toBe(304);
    await set("global_css", "body { color: red }");
    expect((await world.call("GET", "/custom/global.css", { headers })).body).toBe("body { color: red }");
    expect((await world.call("GET", "/custom/global.js")).headers.get("content-type")).toContain("text/javascript");
  });

  it("allows the enabled sign-in widgets in the policy, and no others", async () => {
    await set("TurnstileCheckEnabled", "true");
    const policy = getPolicy((await world.call("GET", "/login")).headers);
    expect(policy).toMatch(/script-src [^;]*https:\/\/challenges\.cloudflare\.com/);
    expect(policy).not.toContain("telegram.org");
    await set("TurnstileCheckEnabled", "false");
  });

  it("can be disabled to repair a page that it broke", async () => {
    const page = await world.call("GET", "/admin/settings?no_custom=1");
    expect(page.body).not.toContain(SCRIPT);
    expect(getPolicy(page.headers)).toContain("script-src 'self';");
  });

  it("is a page that a browser may cache only while both page and code are unchanged", async () => {
    const first = await world.call("GET", "/");
    const headers = { "cache-control": "max-age=0", "if-none-match": String(first.headers.get("etag")) };
    expect((await world.call("GET", "/", { headers })).status).toBe(304);
    await set("custom_head_html", "<meta name=a content=$&>");
    const second = await world.call("GET", "/", { headers });
    expect(second.status).toBe(200);
    expect(second.body).toContain("<meta name=a content=$&>");
    expect((await world.call("HEAD", "/")).status).toBe(200);
  });
});

describe("site setup calls", () => {
  let world: GatewayWorld;

  beforeAll(async () => {
    world = await startGatewayWorld();
    world.fakes.site.listSecretStates = async () => ({ isSet: { SMTPToken: true, EpayKey: false } });
    world.fakes.site.fetchPresetRatios = async ({ source }) => ({
      modelRatio: source === "legacy" ? {} : { "gpt-4o": 1.25 },
      completionRatio: { "gpt-4o": 4 },
      hasModelRatio: source !== "legacy",
    });
    world.fakes.site.discoverOidc = async ({ wellKnown }) => ({
      issuer: "https://id.example",
      authorizationEndpoint: "https://id.example/authorize",
      tokenEndpoint: "https://id.example/token",
      userInfoEndpoint: "",
      endSessionEndpoint: "",
      scopes: ["openid"],
      wellKnown,
    });
    world.fakes.site.checkForUpdate = async () => ({
      latestVersion: "",
      isNewer: false,
      url: "",
      publishedAt: "",
      problem: "unreachable",
    });
  });
  afterAll(() => world.stop());

  it.each([
    ["GET", "/api/option/secrets"],
    ["GET", "/api/option/preset_ratios?source=flexible"],
    ["GET", "/api/option/update_check"],
    ["POST", "/api/option/oidc_discovery"],
    ["GET", "/api/status/test"],
  ])("restricts %s %s to admins, with and without a trailing slash", async (method, path) => {
    const [bare = "", query] = path.split("?");
    const body = method === "POST" ? { well_known: "https://id.example" } : undefined;
    for (const form of [bare, `${bare}/`]) {
      const target = query === undefined ? form : `${form}?${query}`;
      expect((await world.call(method, target, { body })).status).toBe(401);
      expect((await world.call(method, target, { as: "ada", body })).status).toBe(403);
      expect((await world.call(method, target, { as: "admin", body })).body.success).toBe(true);
    }
  });

  it("returns the shapes of the contract", async () => {
    const data = async (method: string, path: string, body?: unknown) =>
      (await world.call(method, path, { as: "admin", body })).body.data;
    expect(SecretStates.parse(await data("GET", "/api/option/secrets"))).toEqual({ SMTPToken: true, EpayKey: false });
    expect(PresetRatios.parse(await data("GET", "/api/option/preset_ratios?source=openrouter"))).toEqual({
      source: "openrouter",
      model_ratio: { "gpt-4o": 1.25 },
      completion_ratio: { "gpt-4o": 4 },
    });
    expect((await data("GET", "/api/option/preset_ratios?source=legacy")).model_ratio).toBeNull();
    const found = await data("POST", "/api/option/oidc_discovery", { well_known: "https://id.example" });
    expect(OidcDiscovery.parse(found)).toMatchObject({
      token_endpoint: "https://id.example/token",
      scopes: ["openid"],
    });
    expect(UpdateCheck.parse(await data("GET", "/api/option/update_check"))).toEqual({
      current: "1.2.3",
      latest: null,
      is_newer: false,
      url: null,
      published_at: null,
      problem: "unreachable",
    });
    expect(world.lastRequest("checkForUpdate")).toEqual({ currentVersion: "1.2.3" });
  });

  it("reports an invalid option in the caller's language", async () => {
    world.fakes.priceBook.changePrices = async () => {
      throw new AppError("option_invalid", "no", {
        params: { key: "GroupRatio", detail: "vip 必须是不小于 0 的数字" },
      });
    };
    const body = { key: "GroupRatio", value: '{"vip":-1}' };
    const chinese = await world.call("PUT", "/api/option/", { as: "root", body, headers: { "accept-language": "zh" } });
    expect(chinese.body.message).toBe("设置项 GroupRatio 的值无效：vip 必须是不小于 0 的数字");
    const english = await world.call("PUT", "/api/option/", { as: "root", body, headers: { "accept-language": "en" } });
    expect(english.body.message).toBe("The value of GroupRatio is not valid: vip must be a number of 0 or more");
  });

  it("reports that the database is down", async () => {
    world.fakes.auth.getSetup = async () => {
      throw new AppError("unavailable", "MongoDB is unavailable");
    };
    const response = await world.call("GET", "/api/status/test", { as: "admin" });
    expect([response.status, response.body.code]).toEqual([503, "unavailable"]);
  });
});
