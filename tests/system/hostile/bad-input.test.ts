import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type FakeUpstream, startFakeUpstream } from "../../lib/fake-upstream/fake-upstream.ts";
import type { ConsoleClient } from "../../lib/console-client.ts";
import { type LogRow, openTestSite, type TestSite } from "../../lib/test-site.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";
import { startWorld, type World } from "../../lib/world.ts";

let world: World;
let upstream: FakeUpstream;
let testSite: TestSite;
let key: string;

beforeAll(async () => {
  upstream = await startFakeUpstream();
  world = await startWorld({
    backing: testBacking(),
    env: { BODY_LIMIT_MB: "1", STREAMING_TIMEOUT: "1", RESPONSE_TIMEOUT_SECONDS: "2" },
  });
  testSite = await openTestSite(world, upstream.url);
  await testSite.root.put("/api/option/", { key: "RetryTimes", value: "0" });
  ({ key } = await testSite.token());
  // The site's credit for its first administrator is posted a moment after the start.
  await testSite.eventually("the first balance", 10_000, async () => (await testSite.self()).quota || undefined);
}, 120_000);
beforeEach(() => upstream.reset());
afterAll(async () => {
  await world?.stop();
  await upstream?.stop();
});

const DIALECTS = {
  openai: {
    path: "/v1/chat/completions",
    isError: (body: unknown) =>
      expect(body).toMatchObject({ error: { message: expect.any(String), type: expect.any(String) } }),
  },
  anthropic: {
    path: "/v1/messages",
    isError: (body: unknown) =>
      expect(body).toMatchObject({ type: "error", error: { type: expect.any(String), message: expect.any(String) } }),
  },
} as const;
type DialectName = keyof typeof DIALECTS;

function request(dialect: DialectName, body: unknown, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(world.relayUrl + DIALECTS[dialect].path, {
    method: "POST",
    headers: {
      authorization: `Bearer ${key}`,
      "content-type": "application/json",
      ...(dialect === "anthropic" ? { "anthropic-version": "2023-06-01" } : {}),
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}
const good = (over: Record<string, unknown> = {}) => ({
  model: "gpt-4o",
  max_tokens: 20,
  messages: [{ role: "user", content: "hi" }],
  ...over,
});

const NESTED_DEPTH = 20_000;
const NESTED = `${'{"items":'.repeat(NESTED_DEPTH)}1${"}".repeat(NESTED_DEPTH)}`;

/** Checks that the balance does not change during `run` and for a moment after. */
async function costsNothing(run: () => Promise<void>): Promise<void> {
  const before = await testSite.self();
  await run();
  const after = await testSite.self();
  expect(after.quota).toBe(before.quota);
}

describe.each(["openai", "anthropic"] as const)("%s dialect", (dialect) => {
  it.each([
    ["broken JSON", '{"model": "gpt-4o", "mess', 400],
    ["a body that is not an object", "[1, 2]", 400],
    ["no model", good({ model: undefined }), 400],
    ["a model that is not a string", good({ model: 7 }), 400],
    ["no messages", good({ messages: [] }), 400],
    ["messages that are not a list", good({ messages: "hi" }), 400],
    ["a message that is not an object", good({ messages: ["hi"] }), 400],
    ["a stream flag that is not a boolean", good({ stream: "yes" }), 400],
    ["max_tokens below 1", good({ max_tokens: -5 }), 400],
    ["a model that no channel serves", good({ model: "no-such-model" }), 404],
    [
      "a tool schema that is nested too deeply",
      JSON.stringify(good({ tools: [{ name: "f", input_schema: "@" }] })).replace('"@"', NESTED),
      400,
    ],
    ["a body that is too large", good({ messages: [{ role: "user", content: "x".repeat(1_100_000) }] }), 413],
  ])("returns %s in its own format without a charge", async (_, body, status) => {
    await costsNothing(async () => {
      const response = await request(dialect, body);
      expect(response.status).toBe(status);
      expect(response.headers.get("x-request-id")).toMatch(/^\w{20,}$/);
      DIALECTS[dialect].isError(await response.json());
    });
    expect(upstream.calls).toHaveLength(0);
  });

  it.each([
    ["a refusal", { refuse: { status: 429, headers: { "retry-after": "7" } } }, 429],
    [
      "an HTML page with status 502",
      { raw: { status: 502, headers: { "content-type": "text/html" }, body: "<html>bad</html>" } },
      502,
    ],
    [
      "an HTML page with status 200",
      { raw: { status: 200, headers: { "content-type": "text/html" }, body: "<html>hi</html>" } },
      502,
    ],
    [
      "half a JSON document",
      { raw: { status: 200, headers: { "content-type": "application/json" }, body: '{"id":"x","choices":[{' } },
      502,
    ],
    ["a dropped connection", { dropConnection: true }, 502],
    ["no response at all", { neverRespond: true }, 504],
  ] as const)("reports the upstream failure (%s), streamed or not, without a charge", async (_, scenario, status) => {
    await costsNothing(async () => {
      for (const stream of [false, true]) {
        upstream.next({}, scenario);
        const response = await request(dialect, good({ stream }));
        expect(response.status).toBe(status);
        expect(response.headers.get("content-type")).toContain("application/json");
        DIALECTS[dialect].isError(await response.json());
      }
    });
  });

  it.each([
    ["is cut in the middle", { pieces: 10, cutAfterFrames: 5 }],
    ["is cut inside a frame", { pieces: 10, cutAfterBytes: 700 }],
    ["ends without its end marker", { pieces: 10, endAfterFrames: 5 }],
    ["stalls", { pieces: 10, stallAfterFrames: 5 }],
    ["contains an error", { pieces: 10, errorAfterFrames: 5 }],
    ["contains an unreadable frame", { pieces: 10, malformedFrame: 5 }],
  ] as const)(
    "ends a stream that %s with an error event, never cleanly, and charges what was produced",
    async (_, scenario) => {
      for (const model of ["gpt-4o", "claude-3-5-sonnet-20241022", "gemini-2.0-flash"]) {
        upstream.next({}, scenario);
        const response = await request(dialect, good({ model, stream: true }));
        const text = await response.text();
        expect(response.status).toBe(200);
        expect(text).not.toMatch(/\[DONE\]|message_stop/);
        expect(text).toMatch(dialect === "openai" ? /data: \{"error":/ : /event: error/);
        const row = await testSite.readLogRow(response.headers.get("x-request-id") ?? "");
        expect(row.quota).toBeGreaterThan(0);
        expect(JSON.parse(row.other)).toMatchObject({ error_code: expect.any(String) });
      }
    },
  );

  it("passes Retry-After on", async () => {
    upstream.next({}, { refuse: { status: 429, headers: { "retry-after": "7" } } });
    expect((await request(dialect, good())).headers.get("retry-after")).toBe("7");
  });
});

describe("refused tokens", () => {
  const withKey = (other: string, body = good()) => request("openai", body, { authorization: `Bearer ${other}` });
  const refusal = async (response: Response): Promise<[number, string]> => {
    const body = (await response.json()) as { error: { code: string } };
    return [response.status, body.error.code];
  };

  it("refuses unknown, missing and malformed keys", async () => {
    expect(await refusal(await withKey(`sk-${"A".repeat(48)}`))).toEqual([401, "invalid_api_key"]);
    expect(await refusal(await withKey("sk-short"))).toEqual([401, "invalid_api_key"]);
    expect(await refusal(await request("openai", good(), { authorization: "" }))).toEqual([401, "invalid_api_key"]);
  });

  it("refuses an expired token", async () => {
    const soon = await testSite.token({ expired_time: Math.floor(Date.now() / 1000) + 1 });
    await expect.poll(async () => (await withKey(soon.key)).status, { timeout: 4_000 }).toBe(401);
    expect(await refusal(await withKey(soon.key))).toEqual([401, "token_expired"]);
  });

  it("refuses a token that exhausted its own budget", async () => {
    const poor = await testSite.token({ remain_quota: 0 });
    expect((await refusal(await withKey(poor.key)))[0]).toBe(429);
    const small = await testSite.token({ remain_quota: 5 });
    expect(await refusal(await withKey(small.key))).toEqual([429, "insufficient_token_quota"]);
  });

  it("refuses a token limited to other models, addresses or groups", async () => {
    const limited = await testSite.token({ model_limits_enabled: true, model_limits: "gpt-4o-mini" });
    expect(await refusal(await withKey(limited.key))).toEqual([403, "model_not_allowed"]);
    expect((await withKey(limited.key, good({ model: "gpt-4o-mini" }))).status).toBe(200);
    const elsewhere = await testSite.token({ allow_ips: "10.0.0.0/8" });
    expect(await refusal(await withKey(elsewhere.key))).toEqual([403, "ip_not_allowed"]);
    expect(
      (await request("openai", good(), { authorization: `Bearer ${elsewhere.key}`, "x-forwarded-for": "10.1.1.1" }))
        .status,
    ).toBe(403);
    const here = await testSite.token({ allow_ips: "127.0.0.0/8\n::1" });
    expect((await withKey(here.key)).status).toBe(200);
    const vip = await testSite.token({ group: "vip" });
    expect(await refusal(await withKey(vip.key))).toEqual([503, "no_available_channel"]);
  });

  it("refuses a token over its request limit, with Retry-After", async () => {
    const slow = await testSite.token({
      rate_limit_enabled: true,
      rate_limit_period: 60,
      rate_limit_count: 2,
      rate_limit_success: 0,
    });
    expect((await withKey(slow.key)).status).toBe(200);
    expect((await withKey(slow.key)).status).toBe(200);
    const third = await withKey(slow.key);
    expect(third.status).toBe(429);
    expect(Number(third.headers.get("retry-after"))).toBeGreaterThan(0);
  });
});

describe("routing around a failing channel", () => {
  it("tries another channel before the first byte, whatever the failure, and charges the one that served", async () => {
    const model = "gpt-4.1";
    await testSite.root.put("/api/option/", { key: "RetryTimes", value: "3" });
    for (const [name, priority] of [
      ["good", 0],
      ["bad", 10],
    ] as const) {
      await testSite.root.post("/api/channel/", {
        type: 1,
        name,
        key: `${name}-key`,
        base_url: upstream.url,
        models: model,
        group: "default",
        priority,
      });
    }
    upstream.always({ key: "good-key" }, { text: "fine" });
    const faults = [
      { refuse: { status: 429 } },
      { refuse: { status: 500 } },
      { refuse: { status: 401 } },
      { dropConnection: true },
      { raw: { status: 200, headers: { "content-type": "text/html" }, body: "<html>" } },
      { cutAfterFrames: 0 },
    ];
    const isTried = (name: string) => upstream.calls.some((call) => call.key === `${name}-key`);
    upstream.always({ key: "bad-key" }, { refuse: { status: 500 } });
    await testSite.eventually("both channels in the routing table", 2_000, async () => {
      await request("openai", good({ model }));
      return (isTried("bad") && isTried("good")) || undefined;
    });
    for (const fault of faults) {
      for (const stream of [true, false]) {
        // A non-streaming response has no frames to cut.
        if (!stream && "cutAfterFrames" in fault) continue;
        upstream.always({ key: "bad-key" }, fault);
        const response = await request("openai", good({ model, stream }));
        expect(await response.text()).toContain("fine");
        const row = await testSite.readLogRow(response.headers.get("x-request-id") ?? "");
        expect(row.quota).toBeGreaterThan(0);
      }
    }
    await testSite.root.put("/api/option/", { key: "RetryTimes", value: "0" });
  });
});

describe("page of another site", () => {
  it("may send the headers it needs, including its key, and read those of the response", async () => {
    const headers = { origin: "https://page.test", "access-control-request-headers": "authorization,x-stainless-os" };
    const preflight = await fetch(`${world.relayUrl}/v1/chat/completions`, { method: "OPTIONS", headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get("access-control-allow-origin")).toBe("*");
    expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization,x-stainless-os");
    const response = await request("openai", good(), { origin: headers.origin });
    expect(response.headers.get("access-control-allow-origin")).toBe("*");
    expect(response.headers.get("access-control-expose-headers")).toBe("*");
  });
});

describe("model list", () => {
  it("has the format of the caller's dialect, and returns 404 for a model it does not list", async () => {
    const list = (path: string, headers: Record<string, string> = {}) =>
      fetch(world.relayUrl + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
    expect(await (await list("/v1/models")).json()).toMatchObject({
      object: "list",
      success: true,
      data: expect.arrayContaining([expect.objectContaining({ id: "gpt-4o", object: "model" })]),
    });
    expect(await (await list("/v1/models", { "anthropic-version": "2023-06-01" })).json()).toMatchObject({
      has_more: false,
      data: expect.arrayContaining([expect.objectContaining({ type: "model", id: "gpt-4o" })]),
    });
    expect(await (await list("/v1beta/models")).json()).toMatchObject({
      models: expect.arrayContaining([expect.objectContaining({ name: "models/gpt-4o" })]),
    });
    const underV1 = await fetch(`${world.relayUrl}/v1/models`, { headers: { "x-goog-api-key": key } });
    expect(await underV1.json()).toMatchObject({
      models: expect.arrayContaining([expect.objectContaining({ name: "models/gpt-4o" })]),
    });
    expect((await list("/v1/models/gpt-4o")).status).toBe(200);
    expect((await list("/v1/models/nobody")).status).toBe(404);
  });
});

describe("refused call", () => {
  // A user of their own: the log takes only so many failures of one user in a minute.
  let client: ConsoleClient;
  let authorization: string;
  beforeAll(async () => {
    ({ client } = await testSite.createUser(1_000_000));
    authorization = `Bearer ${(await testSite.token({ name: "refused" }, client)).key}`;
  });
  const waitForRow = (query: Record<string, string | number>): Promise<LogRow> =>
    testSite.eventually(
      `a row with ${JSON.stringify(query)}`,
      15_000,
      async () => (await testSite.logs(query)).items[0],
    );

  it("is in the log of the key's owner, with its code, status and reason", async () => {
    const response = await request("openai", good({ model: "nobody-serves-this" }), { authorization });
    const requestId = response.headers.get("x-request-id") ?? "";
    const row = await waitForRow({ request_id: requestId });
    expect(row).toMatchObject({ type: 6, token_name: "refused", model_name: "nobody-serves-this", quota: 0 });
    const { error } = (await response.json()) as { error: { message: string; code: string } };
    expect(error.message).toContain(row.content);
    for (const filter of [error.code, String(response.status)]) {
      const own = await client.get<{ items: LogRow[] }>("/api/log/self", { error_code: filter, p: 1 });
      expect(own.items.map(({ request_id: id }) => id)).toEqual([row.request_id]);
    }
  });

  it("is in the log although its body was not read, or its key is disabled", async () => {
    const broken = await request("anthropic", "{broken", { authorization });
    expect(await waitForRow({ request_id: broken.headers.get("x-request-id") ?? "" })).toMatchObject({
      type: 6,
      content: expect.stringContaining("not valid JSON"),
    });
    const disabled = await testSite.token({ name: "unused" }, client);
    await client.put("/api/token/?status_only=true", { id: disabled.id, status: 2 });
    const refused = await request("openai", good(), { authorization: `Bearer ${disabled.key}` });
    expect(refused.status).toBe(401);
    expect(await waitForRow({ token_name: "unused" })).toMatchObject({ type: 6, model_name: "" });
  });
});
