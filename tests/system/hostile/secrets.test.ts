import { randomBytes } from "node:crypto";
import { OPTIONS } from "@turnpike/contract/options/option-definitions";
import { TOTP } from "otpauth";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import type { ConsoleClient } from "../../lib/console-client.ts";
import { openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { ROOT_USER, startWorld, type World } from "../../lib/world.ts";

/** Everything sent to a caller: the request, and the response's headers and body. */
type Seen = { readonly request: string; readonly response: string };
/** A secret, and the one request whose response may return it. */
type Secret = { readonly name: string; readonly value: string; readonly shownBy?: RegExp };

const seen: Seen[] = [];
const secrets: Secret[] = [];
const fresh = (name: string): string => `${name}-${randomBytes(12).toString("hex")}`;
const keep = (name: string, value: string, shownBy?: RegExp): string => {
  secrets.push(shownBy ? { name, value, shownBy } : { name, value });
  return value;
};

const realFetch = globalThis.fetch;
const recordResponses = (async (...[input, init]: Parameters<typeof fetch>) => {
  const response = await realFetch(input, init);
  const url = new URL(input instanceof Request ? input.url : String(input));
  const headers = [...response.headers].filter(([name]) => name !== "set-cookie").map((line) => line.join(": "));
  const body = await response.clone().text();
  seen.push({ request: `${init?.method ?? "GET"} ${url.pathname}`, response: `${headers.join("\n")}\n\n${body}` });
  return response;
}) as typeof fetch;

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;

beforeAll(async () => {
  globalThis.fetch = recordResponses;
  upstream = await startFakeUpstream();
  world = await startWorld({ backing: testBacking(), logLevel: "trace" });
  testSite = await openTestSite(world, upstream.url);
}, 120_000);
afterAll(async () => {
  globalThis.fetch = realFetch;
  await world?.stop();
  await upstream?.stop();
});

/** Sets every secret option, and reads every endpoint that returns options. */
async function tourOptions(root: ConsoleClient): Promise<void> {
  for (const [key, definition] of Object.entries(OPTIONS)) {
    if (!("secret" in definition) || definition.secret !== true) continue;
    await root.put("/api/option/", { key, value: keep(`option ${key}`, fresh(key)) });
  }
  for (const path of ["/api/option/", "/api/option/secrets", "/api/status", "/api/setup", "/api/audit/"])
    await root.get(path);
  await root.put("/api/option/", { key: "SMTPServer", value: "127.0.0.1" });
  await root.put("/api/option/", { key: "SMTPAccount", value: "mailer" });
  await root.put("/api/option/", { key: "SMTPFrom", value: "mailer@example.com" });
  await root.call("POST", "/api/option/test_mail", { body: { to: "ada@example.com" } });
  const bad = keep("a refused option", fresh("refused"));
  await root.call("PUT", "/api/option/", { body: { key: "SMTPToken", value: { nested: bad } } });
  await root.call("PUT", "/api/option/", { rawBody: `{"key":"SMTPToken","value":"${bad}"` });
}

/** Channels with keys, upstreams that repeat the key in their errors, failing tests and model lists. */
async function tourChannels(root: ConsoleClient): Promise<void> {
  const first = keep("a channel's first key", fresh("sk-up"));
  const second = keep("a channel's second key", fresh("sk-up"));
  const google = keep("a key that travels in an address", fresh("AIza"));
  const base = { group: "default", base_url: upstream.url };
  await root.post("/api/channel/", {
    ...base,
    type: 1,
    name: "loud",
    key: `${first}\n${second}`,
    models: "loud-model",
  });
  await root.post("/api/channel/", { ...base, type: 24, name: "google", key: google, models: "loud-gemini" });
  await root.post("/api/channel/", {
    ...base,
    type: 24,
    name: "dead",
    base_url: "http://127.0.0.1:9",
    key: google,
    models: "dead-gemini",
  });
  const channels = await root.get<{ id: number; name: string }[]>("/api/channel/", { page_size: 100 });
  for (const { id, name } of channels) {
    await root.call("GET", `/api/channel/${id}`);
    if (!["loud", "google", "dead"].includes(name)) continue;
    await root.call("GET", `/api/channel/test/${id}`);
    await root.call("GET", `/api/channel/fetch_models/${id}`);
    await root.call("GET", `/api/channel/update_balance/${id}/`);
    await root.call("PUT", "/api/channel/", { body: { id, priority: 1 } });
  }
  const typed = keep("a key that is only tried", fresh("sk-try"));
  const tried = { base_url: "http://127.0.0.1:9", type: 1, key: typed };
  await root.call("POST", "/api/channel/fetch_models", { body: tried });
  await root.call("POST", "/api/channel/", {
    body: { ...base, type: "no number", name: "x", key: typed, models: "m" },
  });
  await root.get("/api/channel/search", { keyword: first, group: "", model: "" });
}

/** Calls of the model API with valid and invalid keys, to upstreams that return errors with the key in them. */
async function tourRelay(client: ConsoleClient): Promise<void> {
  const { key } = await testSite.token({ name: "tour" }, client);
  keep("a token's key", key.replace(/^sk-/, ""), /^(POST|GET) \/api\/token/);
  await testSite.root.put("/api/option/", { key: "fallback_pricing_enabled", value: "true" });
  await testSite.root.put("/api/option/", { key: "fallback_input_ratio", value: "1" });
  await testSite.root.put("/api/option/", { key: "fallback_completion_ratio", value: "1" });
  await new Promise((resolve) => setTimeout(resolve, 1_200));
  const call = (model: string, authorization: string, body?: string): Promise<Response> =>
    fetch(`${world.relayUrl}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization, "content-type": "application/json" },
      body: body ?? JSON.stringify({ model, messages: [{ role: "user", content: "hello" }] }),
    });
  await call("gpt-4o", `Bearer ${key}`);
  await call("gpt-4o", `Bearer ${key}`, "{broken");
  await call("dead-gemini", `Bearer ${key}`);
  await fetch(`${world.relayUrl}/v1beta/models/dead-gemini:generateContent?key=${key}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ contents: [{ role: "user", parts: [{ text: "hello" }] }] }),
  });
  for (const [status, model] of [
    [401, "loud-model"],
    [500, "loud-model"],
    [400, "loud-gemini"],
  ] as const) {
    const reported = secrets
      .filter(({ name }) => name.startsWith("a channel") || name.includes("address"))
      .map(({ value }) => value);
    const message = `Incorrect API key provided: ${reported.join(" ")} at https://example.com/v1?key=${reported.join("&key=")}`;
    upstream.always({ model }, { refuse: { status, message } });
    await call(model, `Bearer ${key}`);
    upstream.reset();
  }
  const wrong = keep("an unknown key", randomBytes(24).toString("hex"));
  await call("gpt-4o", `Bearer sk-${wrong}`);
  await client.get("/api/log/self", { p: 1, page_size: 100 });
  await testSite.root.get("/api/log/", { p: 1, page_size: 100 });
}

/** Passwords, sessions, second factors, access tokens, webhooks. */
async function tourUsers(client: ConsoleClient): Promise<void> {
  keep("root's password", ROOT_USER.password);
  const { username } = await client.get<{ username: string }>("/api/user/self");
  const password = keep("a password", fresh("pass").slice(0, 20));
  const tooLong = keep("a password that is refused", `${fresh("long")}${"x".repeat(100)}`);
  await client.call("PUT", "/api/user/self", { body: { original_password: tooLong, password } });
  await client.put("/api/user/self", { original_password: "turnpike-user-1", password });
  await world.visitor().call("POST", "/api/user/login", { body: { username, password: tooLong } });
  await world.visitor().call("POST", "/api/user/login", { body: { username: [password], password: 7 } });
  const webhookSecret = keep("a webhook's secret", fresh("hook"));
  const setting = { notify_type: "webhook", quota_warning_threshold: 1, webhook_url: "https://example.com/hook" };
  await client.put("/api/user/setting", { ...setting, webhook_secret: webhookSecret });
  await client.call("POST", "/api/user/webhook/test", { body: {} });
  keep("an access token", await client.get<string>("/api/user/token"), /^GET \/api\/user\/token/);
  const { secret } = await client.post<{ secret: string }>("/api/user/2fa/setup", {});
  keep("a second factor", secret, /^POST \/api\/user\/2fa\/setup/);
  const code = new TOTP({ secret }).generate();
  const codes = await client.post<{ recovery_codes: string[] }>("/api/user/2fa/enable", { code });
  for (const each of codes.recovery_codes) keep("a recovery code", each, /^POST \/api\/user\/2fa\/enable/);
  for (const [name, value] of client.cookies) keep(`the cookie ${name}`, value);
  for (const path of ["/api/user/self", "/api/user/sessions", "/api/user/2fa/status", "/api/user/passkey"])
    await client.get(path);
  for (const path of ["/api/user/", "/api/audit/", "/api/admin/messages/", "/api/channel/", "/api/redemption/"])
    await testSite.root.get(path, { p: 0, page_size: 100 });
}

describe("tour of the product, with errors and at the finest log level", () => {
  beforeAll(async () => {
    keep("the master key", world.secrets.masterKey);
    keep("the services' secret", world.secrets.internalSecret);
    for (const { name } of [{ name: "openai" }, { name: "anthropic" }, { name: "gemini" }, { name: "custom" }])
      keep(`the key of channel ${name}`, `up-${name}-key`);
    const { client } = await testSite.createUser(100_000_000);
    await testSite.root.put("/api/option/", { key: "TokenKeysHidden", value: "true" });
    await tourOptions(testSite.root);
    await tourChannels(testSite.root);
    await tourRelay(client);
    await tourUsers(client);
  }, 120_000);

  it("produces responses, errors and log lines", () => {
    expect(seen.length).toBeGreaterThan(80);
    expect(secrets.length).toBeGreaterThan(30);
    expect(seen.some(({ response }) => response.includes("Incorrect API key provided"))).toBe(true);
    for (const service of ["auth", "billing", "channel", "relay", "gateway", "messaging"])
      expect(world.log.lines.some(({ name }) => name === service)).toBe(true);
  });

  it("returns a secret only in the response meant to return it", () => {
    const leaks = secrets.flatMap(({ name, value, shownBy }) =>
      seen
        .filter(({ request, response }) => response.includes(value) && shownBy?.test(request) !== true)
        .map(({ request }) => `${name} in the response to ${request}`),
    );
    expect([...new Set(leaks)]).toEqual([]);
  });

  it("logs no secret", () => {
    const leaks = secrets.flatMap(({ name, value }) =>
      world.log.lines
        .filter(({ line }) => line.includes(value))
        .map((entry) => `${name} in a line of ${entry.name}: ${entry.line.slice(0, 300)}`),
    );
    expect([...new Set(leaks)]).toEqual([]);
  });
});
