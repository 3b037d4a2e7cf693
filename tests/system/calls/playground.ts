import { describe, expect, it } from "vitest";
import { openaiClient } from "../../lib/clients.ts";
import type { ConsoleClient } from "../../lib/console-client.ts";
import type { LogRow } from "../../lib/test-site.ts";
import type { TestSiteWorld } from "../../lib/test-site-world.ts";

/** The playground: calls of signed-in users. */
export function playground(at: TestSiteWorld): void {
  const CREDIT = 10_000_000;
  const PATH = "/pg/chat/completions";
  const body = { model: "gpt-4o", group: "default", messages: [{ role: "user", content: "hi" }], stream: false };
  const usage = { inputTokens: 1000, cachedTokens: 0, outputTokens: 200, reasoningTokens: 0 };

  type Requested = { readonly headers?: Record<string, string>; readonly body?: unknown; readonly base?: string };

  async function post({ headers = {}, body: sent = body, base = at.world.consoleUrl }: Requested) {
    const response = await fetch(base + PATH, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(sent),
    });
    const text = await response.text();
    return {
      status: response.status,
      requestId: response.headers.get("x-request-id") ?? "",
      text,
      headers: response.headers,
    };
  }
  const getCode = ({ text }: { text: string }): string =>
    (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? "none";

  const getCookie = ({ cookies }: ConsoleClient): string =>
    [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

  async function signedIn() {
    const user = await at.testSite.createUser(CREDIT);
    const cookie = getCookie(user.client);
    const requested = { headers: { "veloera-user": String(user.id) } };
    const accessToken = await user.client.expectData<string>("GET", "/api/user/token", requested);
    const balance = async () => (await user.client.get<{ quota: number }>("/api/user/self")).quota;
    return { ...user, cookie, accessToken, balance };
  }

  describe("playground", () => {
    it("serves signed-in users, from their balance and without a key", async () => {
      const ann = await signedIn();
      at.upstream.always({}, { usage, text: "Hello." });
      const response = await post({ headers: { cookie: ann.cookie } });
      expect(response.status).toBe(200);
      const row: LogRow = await at.testSite.readLogRow(response.requestId);
      expect(row).toMatchObject({ type: 2, token_name: "playground-default", group: "default", quota: 2250 });
      expect(JSON.parse(row.other)).toMatchObject({ playground: true });
      await at.testSite.eventually("the balance", 3_000, async () =>
        (await ann.balance()) === CREDIT - 2250 ? true : undefined,
      );
      const sent = at.upstream.calls.at(-1);
      expect(sent?.body).not.toHaveProperty("group");
      expect(JSON.stringify(sent?.headers)).not.toMatch(/cookie|x-turnpike/);
    });

    it("streams, and requires a session: an access token is refused", async () => {
      const ann = await signedIn();
      at.upstream.always({}, { text: "Hello there." });
      const response = await post({ headers: { cookie: ann.cookie }, body: { ...body, stream: true } });
      expect(response.headers.get("content-type")).toContain("text/event-stream");
      expect(response.text).toContain("data: [DONE]");
      const refused = await post({ headers: { authorization: `Bearer ${ann.accessToken}` } });
      expect([refused.status, getCode(refused)]).toEqual([400, "access_token_not_supported"]);
      expect(at.upstream.calls).toHaveLength(1);
    });

    it("refuses visitors, keys, other sites, and direct relay calls with a forged identity", async () => {
      const ann = await signedIn();
      const { key } = await at.testSite.token({}, ann.client);
      const refused = async (requested: Requested) => {
        const response = await post(requested);
        return [response.status, getCode(response)];
      };
      expect(await refused({})).toEqual([401, "unauthenticated"]);
      expect(await refused({ headers: { cookie: "session=made-up" } })).toEqual([401, "unauthenticated"]);
      expect(await refused({ headers: { authorization: `Bearer ${key}` } })).toEqual([401, "unauthenticated"]);
      expect(await refused({ headers: { cookie: ann.cookie, origin: "https://evil.example" } })).toEqual([
        403,
        "cross_site_refused",
      ]);
      const base = at.world.relayUrl;
      const forged = { "x-turnpike-playground": `${ann.id}.${Math.floor(Date.now() / 1000)}.${"0".repeat(64)}` };
      for (const headers of [{ cookie: ann.cookie }, { authorization: `Bearer ${key}` }, forged])
        expect(await refused({ base, headers })).toEqual([401, "invalid_api_key"]);
      expect(await refused({ headers: forged })).toEqual([401, "unauthenticated"]);
      expect(at.upstream.calls).toHaveLength(0);
    });

    it("requires a model and a group that the user may use, and a sufficient balance", async () => {
      const ann = await signedIn();
      const refused = async (sent: unknown, cookie = ann.cookie) => {
        const response = await post({ headers: { cookie }, body: sent });
        return [response.status, getCode(response)];
      };
      expect(await refused({ ...body, group: "svip" })).toEqual([403, "group_not_allowed"]);
      expect(await refused({ ...body, model: "" })).toEqual([400, "model_required"]);
      expect(await refused({ ...body, model: "nothing" })).toEqual([404, "model_not_found"]);
      expect(await refused([])).toEqual([400, "invalid_request"]);
      const poor = await at.testSite.createUser(1);
      expect(await refused(body, getCookie(poor.client))).toEqual([429, "insufficient_user_quota"]);
      expect(await ann.balance()).toBe(CREDIT);
      await at.testSite.root.post("/api/user/manage", { id: ann.id, action: "disable" });
      await expect.poll(() => refused(body)).toEqual([401, "unauthenticated"]);
    });
  });

  describe("balances for compatible clients", () => {
    it("returns a token's limit and usage, in dollars and cents", async () => {
      const ann = await signedIn();
      const { key } = await at.testSite.token({ remain_quota: 5_000_000 }, ann.client);
      at.upstream.always({}, { usage });
      await openaiClient(at.world.relayUrl, key).chat.completions.create({
        model: "gpt-4o",
        messages: [{ role: "user", content: "hi" }],
      });
      const read = async (path: string, headers: Record<string, string> = { authorization: `Bearer ${key}` }) => {
        const response = await fetch(at.world.relayUrl + path, { headers });
        return { status: response.status, body: (await response.json()) as Record<string, unknown> };
      };
      await expect
        .poll(async () => (await read("/v1/dashboard/billing/usage")).body, { timeout: 15_000 })
        .toEqual({ object: "list", total_usage: 0.45 });
      const { body: subscription } = await read("/dashboard/billing/subscription");
      expect(subscription).toEqual({
        object: "billing_subscription",
        has_payment_method: true,
        soft_limit_usd: 10,
        hard_limit_usd: 10,
        system_hard_limit_usd: 10,
        access_until: 0,
      });
      const throughGateway = await fetch(`${at.world.consoleUrl}/v1/dashboard/billing/usage`, {
        headers: { authorization: key },
      });
      expect(await throughGateway.json()).toEqual({ object: "list", total_usage: 0.45 });
      expect((await read("/v1/dashboard/billing/usage", {})).status).toBe(401);
      const unlimited = await at.testSite.token({ unlimited_quota: true }, ann.client);
      const { body: open } = await read("/v1/dashboard/billing/subscription", {
        authorization: `Bearer ${unlimited.key}`,
      });
      expect(open["hard_limit_usd"]).toBe(100_000_000);
    });
  });
}
