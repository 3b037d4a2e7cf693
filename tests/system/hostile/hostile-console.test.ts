import openApi from "../../../services/gateway/src/openapi.json" with { type: "json" };
import { beforeAll, describe, expect, it } from "vitest";
import type { ConsoleClient } from "../../lib/console-client.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite({ env: { GLOBAL_API_RATE_LIMIT_ENABLE: "false" } });

type Parameter = { readonly name: string; readonly in: string; readonly schema: { readonly type?: string } };
type Operation = { readonly parameters?: readonly Parameter[] };
type ApiDocument = { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
const PATHS = Object.entries((openApi as unknown as ApiDocument).paths);

/** Not lists: they end the session, call providers, or are what a provider calls. */
const NO_LISTS =
  /logout|oauth|notify|\/verification|reset_password|update_check|preset_ratios|channel\/(test|update_balance)/;

/** Every GET of the API without an id in its path, with its query parameters. */
const LISTS = PATHS.flatMap(([path, { get }]) => {
  if (!get || path.includes("{") || NO_LISTS.test(path)) return [];
  return [{ path, parameters: (get.parameters ?? []).filter((parameter) => parameter.in === "query") }];
});

const HOSTILE: readonly (readonly [string, string])[] = [
  ["a NUL", "%00"],
  ["a NUL inside", "a%00b"],
  ["a lone surrogate", "%ED%A0%80"],
  ["half of a character", "%F0%9F"],
  ["a broken escape", "%"],
  ["an expensive pattern", "(a%2B)%2B%24"],
  ["wildcards", "%25a".repeat(40)],
  ["brackets", "%5B%5C"],
  ["100 kB", "x".repeat(100_000)],
];

const FAST_MS = 2_000;

/** Calls for visitors, and those of payment providers, whose bodies carry the proof. */
const PUBLIC =
  /^\/api\/(setup|stripe\/webhook|user\/(reset|register|login|passkey\/login|epay\/notify|stripe\/webhook))/;
/** Every call of the API that may have a body. */
const CHANGES = PATHS.flatMap(([path, operations]) =>
  Object.keys(operations)
    .filter((method) => method !== "get")
    .map((method) => ({ path, method: method.toUpperCase() })),
);

/** Texts in place of a number; a list refuses them or reads them as absent. */
const HOSTILE_NUMBERS = ["NaN", "-1", "1e400", "9007199254740993", "0x10", "1,2", "%00", "9".repeat(400)];

async function get(client: ConsoleClient, target: string): Promise<{ status: number; ms: number }> {
  const cookie = [...client.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const startedAt = performance.now();
  const response = await fetch(client.baseUrl + target, { headers: { cookie } });
  await response.text();
  return { status: response.status, ms: performance.now() - startedAt };
}

describe("list or search of /api", () => {
  it.each(HOSTILE)(
    "returns no server error, and responds in time, for %s",
    async (_, value) => {
      for (const { path, parameters } of LISTS)
        for (const { name } of parameters) {
          const { status, ms } = await get(at.testSite.root, `${path}?${name}=${value}`);
          expect([path, name, status < 500, ms < FAST_MS]).toEqual([path, name, true, true]);
        }
    },
    120_000,
  );

  it("returns no server error, and responds in time, for anything in place of a number", async () => {
    expect(LISTS.length).toBeGreaterThan(50);
    for (const { path, parameters } of LISTS)
      for (const { name, schema } of parameters)
        for (const value of schema.type === "integer" ? HOSTILE_NUMBERS : []) {
          const { status, ms } = await get(at.testSite.root, `${path}?${name}=${value}`);
          expect([path, name, value, status < 500, ms < FAST_MS]).toEqual([path, name, value, true, true]);
        }
  }, 120_000);

  it.each(["", "?start_timestamp=&end_timestamp=", "?start_timestamp=NaN&end_timestamp=NaN"])(
    "has a default range without times (%s)",
    async (query) => {
      const ranged = LISTS.filter(({ parameters }) => parameters.some(({ name }) => name === "start_timestamp"));
      expect(ranged.length).toBeGreaterThan(15);
      for (const { path } of ranged.filter((list) => !list.path.includes("export"))) {
        const { success } = await at.testSite.root.call("GET", path + query);
        expect([path, success]).toEqual([path, true]);
      }
    },
  );
});

describe("part of a path of /api", () => {
  const PARTS = ["%00", "a%00b", "%ED%A0%80", "%", "x".repeat(10_000), "-1", "1e400", "9".repeat(30), "..%2f..%2f"];

  it("returns no server error, and responds in time, whatever it is", async () => {
    const cookie = [...at.testSite.root.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { cookie, "content-type": "application/json" };
    for (const [path, operations] of PATHS.filter(([path]) => path.includes("{") && !NO_LISTS.test(path)))
      for (const method of Object.keys(operations))
        for (const part of PARTS) {
          const startedAt = performance.now();
          const target = at.world.consoleUrl + path.replaceAll(/\{[^}]+\}/g, part);
          const body = method === "get" ? {} : { body: "{}" };
          const response = await fetch(target, { method: method.toUpperCase(), headers, ...body });
          await response.text();
          const isFast = performance.now() - startedAt < FAST_MS;
          expect([method, path, part, response.status < 500, isFast]).toEqual([method, path, part, true, true]);
        }
  }, 120_000);
});

describe("a request without a session", () => {
  it("is refused with 401 whatever its body is, by every call that requires one", async () => {
    const calls = CHANGES.filter(({ path }) => !PUBLIC.test(path));
    expect(calls.length).toBeGreaterThan(70);
    for (const body of ["{ broken", "[]", "", JSON.stringify({ key: "x".repeat(2_000_000) })])
      for (const { path, method } of calls) {
        const target = at.world.consoleUrl + path.replaceAll(/\{[^}]+\}/g, "1");
        const headers = { "content-type": "application/json" };
        const response = await fetch(target, { method, headers, body });
        await response.text();
        expect([method, path, response.status]).toEqual([method, path, 401]);
      }
  }, 60_000);

  it("refuses a body that is not JSON with 400, also with a session", async () => {
    const cookie = [...at.testSite.root.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { "content-type": "application/json", cookie };
    const url = `${at.world.consoleUrl}/api/token/`;
    expect((await fetch(url, { method: "POST", headers, body: "{ broken" })).status).toBe(400);
    const large = JSON.stringify({ name: "x".repeat(2_000_000) });
    expect((await fetch(url, { method: "POST", headers, body: large })).status).toBe(413);
  });
});

describe("values that are refused", () => {
  it("refuses a Vertex channel without a region", async () => {
    const channel = { type: 41, name: "v", key: "{}", models: "gemini-2.0-flash", group: "default" };
    const { success, code } = await at.testSite.root.call("POST", "/api/channel/", { body: channel });
    expect([success, code]).toEqual([false, "channel_region_required"]);
  });

  it.each([-7, -2, 1.5, 1e15])("refuses %d as the time at which a token expires", async (time) => {
    const { id } = await at.testSite.token();
    const token = { name: "t", expired_time: time, remain_quota: 1, unlimited_quota: true };
    const created = await at.testSite.root.call("POST", "/api/token/", { body: token });
    const edited = await at.testSite.root.call("PUT", "/api/token/", { body: { ...token, id } });
    expect([created.code, edited.code]).toEqual(["invalid_input", "invalid_input"]);
  });

  const HOSTS = `
    ip6-localhost ip6-loopback printer.local metadata.google.internal localhost. LOCALHOST redis 127.1 2130706433
    0x7f000001 017700000001 127.0.0.1. ①②⑦.0.0.1 127。0。0。1 0 [::1] [::ffff:127.0.0.1] [::ffff:a00:1] [::127.0.0.1]
    [64:ff9b::7f00:1] [2002:7f00:1::] [fd12::1] [fe80::1] [fec0::1] 169.254.169.254 100.64.0.1`;

  it.each(HOSTS.trim().split(/\s+/))("refuses %s as the host of a webhook", async (host) => {
    const setting = { notify_type: "webhook", webhook_url: `https://${host}/hook`, quota_warning_threshold: 1 };
    expect((await at.testSite.root.call("PUT", "/api/user/setting", { body: setting })).success).toBe(false);
  });
});

describe("what clients of the family send", () => {
  it("accepts an empty user header", async () => {
    const headers = { "veloera-user": "", "new-api-user": "" };
    expect((await at.testSite.root.call("GET", "/api/user/self", { headers })).success).toBe(true);
  });

  it("reads and writes the site's model mapping as an empty one", async () => {
    const { root } = at.testSite;
    for (const path of ["/api/model_mapping/", "/api/model_mapping/config"]) {
      expect(await root.get(path)).toEqual({ mapping: {} });
      expect((await root.call("PUT", path, { body: { mapping: {} } })).success).toBe(true);
    }
    expect((await root.call("POST", "/api/model_mapping/reload")).success).toBe(true);
    const mapping = { virtual: [{ model: "gpt-4o", priorities: 0 }] };
    const { success, code } = await root.call("PUT", "/api/model_mapping/", { body: { mapping } });
    expect([success, code]).toEqual([false, "model_mapping_unsupported"]);
    expect((await at.world.visitor().call("GET", "/api/model_mapping/")).status).toBe(401);
  });

  let key = "";
  beforeAll(async () => {
    ({ key } = await at.testSite.token());
  });
  it.each(["max_tokens", "max_completion_tokens"])(
    "treats 0 of %s as absent and does not send it upstream",
    async (field) => {
      const body = { model: "gpt-4o", [field]: 0, messages: [{ role: "user", content: "Hello" }] };
      const direct = await fetch(`${at.world.relayUrl}/v1/chat/completions`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      expect(direct.status).toBe(200);
      expect(at.upstream.calls.at(-1)?.body).not.toHaveProperty(field);
      expect((await at.testSite.root.call("POST", "/pg/chat/completions", { body })).status).toBe(200);
    },
  );
});
