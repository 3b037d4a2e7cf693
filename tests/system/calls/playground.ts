import { describe, expect, it } from "vitest";
import { openaiClient } from "../../lib/clients.ts";
import type { ConsoleClient } from "../../lib/console-client.ts";
import type { LogRow } from "../../lib/shop.ts";
import type { ShopWorld } from "../../lib/shop-world.ts";

/** The playground: calls of signed-in users. */
export function playground(at: ShopWorld): void {
  const CREDIT = 10_000_000;
  const PATH = "/pg/chat/completions";
  const body = { model: "gpt-4o", group: "default", messages: [{ role: "user", content: "hi" }], stream: false };
  const usage = { inputTokens: 1000, cachedTokens: 0, outputTokens: 200, reasoningTokens: 0 };

  type Asked = { readonly headers?: Record<string, string>; readonly body?: unknown; readonly base?: string };

  async function post({ headers = {}, body: sent = body, base = at.world.consoleUrl }: Asked) {
    const answer = await fetch(base + PATH, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(sent),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      requestId: answer.headers.get("x-request-id") ?? "",
      text,
      headers: answer.headers,
    };
  }
  const codeOf = ({ text }: { text: string }): string =>
    (JSON.parse(text) as { error?: { code?: string } }).error?.code ?? "none";

  const cookieOf = ({ cookies }: ConsoleClient): string =>
    [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");

  async function signedIn() {
    const person = await at.shop.person(CREDIT);
    const cookie = cookieOf(person.client);
    const asked = { headers: { "veloera-user": String(person.id) } };
    const accessToken = await person.client.expectData<string>("GET", "/api/user/token", asked);
    const balance = async () => (await person.client.get<{ quota: number }>("/api/user/self")).quota;
    return { ...person, cookie, accessToken, balance };
  }

  describe("playground", () => {
    it("serves signed-in users, from their balance and without a key", async () => {
      const ann = await signedIn();
      at.upstream.always({}, { usage, text: "Hello." });
      const answer = await post({ headers: { cookie: ann.cookie } });
      expect(answer.status).toBe(200);
      const row: LogRow = await at.shop.logOf(answer.requestId);
      expect(row).toMatchObject({ type: 2, token_name: "playground-default", group: "default", quota: 2250 });
      expect(JSON.parse(row.other)).toMatchObject({ playground: true });
      await at.shop.eventually("the balance", 3_000, async () =>
        (await ann.balance()) === CREDIT - 2250 ? true : undefined,
      );
      const sent = at.upstream.calls.at(-1);
      expect(sent?.body).not.toHaveProperty("group");
      expect(JSON.stringify(sent?.headers)).not.toMatch(/cookie|x-turnpike/);
    });

    it("streams, and requires a session: an access token is refused", async () => {
      const ann = await signedIn();
      at.upstream.always({}, { text: "Hello there." });
      const answer = await post({ headers: { cookie: ann.cookie }, body: { ...body, stream: true } });
      expect(answer.headers.get("content-type")).toContain("text/event-stream");
      expect(answer.text).toContain("data: [DONE]");
      const refused = await post({ headers: { authorization: `Bearer ${ann.accessToken}` } });
      expect([refused.status, codeOf(refused)]).toEqual([400, "access_token_not_supported"]);
      expect(at.upstream.calls).toHaveLength(1);
    });

    it("refuses visitors, keys, other sites, and direct relay calls with a forged identity", async () => {
      const ann = await signedIn();
      const { key } = await at.shop.token({}, ann.client);
      const refused = async (asked: Asked) => {
        const answer = await post(asked);
        return [answer.status, codeOf(answer)];
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
        const answer = await post({ headers: { cookie }, body: sent });
        return [answer.status, codeOf(answer)];
      };
      expect(await refused({ ...body, group: "svip" })).toEqual([403, "group_not_allowed"]);
      expect(await refused({ ...body, model: "" })).toEqual([400, "model_required"]);
      expect(await refused({ ...body, model: "nothing" })).toEqual([404, "model_not_found"]);
      expect(await refused([])).toEqual([400, "invalid_request"]);
      const poor = await at.shop.person(1);
      expect(await refused(body, cookieOf(poor.client))).toEqual([403, "insufficient_user_quota"]);
      expect(await ann.balance()).toBe(CREDIT);
      await at.shop.root.post("/api/user/manage", { id: ann.id, action: "disable" });
      await expect.poll(() => refused(body)).toEqual([401, "unauthenticated"]);
    });
  });

  describe("balances for compatible clients", () => {
    it("returns a token's limit and usage, in dollars and cents", async () => {
      const ann = await signedIn();
      const { key } = await at.shop.token({ remain_quota: 5_000_000 }, ann.client);
      at.upstream.always({}, { usage });
      await openaiClient(at.world.relayUrl, key).chat.completions.create({
        model: "gpt-4o",
        messages: [{ role: "user", content: "hi" }],
      });
      const read = async (path: string, headers: Record<string, string> = { authorization: `Bearer ${key}` }) => {
        const answer = await fetch(at.world.relayUrl + path, { headers });
        return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
      };
      await expect
        .poll(async () => (await read("/v1/dashboard/billing/usage")).body)
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
      const unlimited = await at.shop.token({ unlimited_quota: true }, ann.client);
      const { body: open } = await read("/v1/dashboard/billing/subscription", {
        authorization: `Bearer ${unlimited.key}`,
      });
      expect(open["hard_limit_usd"]).toBe(100_000_000);
    });
  });
}
