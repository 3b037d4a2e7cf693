import { createHmac } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { accountsSpent } from "@turnpike/shared/events/billing";
import { makeCertificate, type TestCertificate, trust } from "../../lib/network/test-certificate.ts";
import { actor, startMessagingWorld, type World } from "./messaging-world.ts";
import { type Receiver, startReceiver } from "./webhook-receiver.ts";

const SECRET = "webhook-secret-of-ada";
const soon = { timeout: 10_000 };
const code = (expected: string) => expect.objectContaining({ code: expected }) as unknown;
const sign = (body: string): string => createHmac("sha256", SECRET).update(body).digest("hex");

let certificate: TestCertificate;
beforeAll(async () => {
  certificate = await makeCertificate();
  trust(certificate);
});

describe("webhooks", () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await startMessagingWorld({ allowlist: ["127.0.0.1"] });
    await world.startNotices();
  });
  afterAll(() => world.stop());
  beforeEach(async () => {
    receiver = await startReceiver(certificate);
    world.auth.targets.clear();
    world.auth.isAway = false;
    for (const name of ["deliveries", "notice_limits"]) await world.mongo.collection(name).deleteMany({});
  });
  afterEach(() => receiver.stop());

  const rows = () => world.mongo.collection("deliveries").find().toArray();
  const expected = (userId: number, over: object = {}): void =>
    void world.auth.targets.set(userId, {
      notifyType: "webhook",
      webhookUrl: `${receiver.url}/hook`,
      webhookSecret: SECRET,
      ...over,
    });
  let lastUser = 20;
  /** A new user, whose balance has just fallen below the threshold. */
  const warn = (over: object = {}): number => {
    const userId = ++lastUser;
    expected(userId, over);
    world.bus.notify(accountsSpent, { accounts: [{ userId, quota: 400 }] });
    return userId;
  };
  const settled = (status: string) =>
    vi.waitFor(async () => expect((await rows()).map((row) => row["status"])).toEqual([status]), soon);
  const test = (userId: number, url = "", secret = "") =>
    world.webhooks.testWebhook({ userId, url, secret }, actor(userId));

  it("reports a low balance, signed with the user's secret", async () => {
    warn();
    await vi.waitFor(() => expect(receiver.calls).toHaveLength(1), soon);
    const [call] = receiver.calls;
    expect(call?.path).toBe("/hook");
    expect(call?.headers).toMatchObject({
      "content-type": "application/json",
      "x-webhook-signature": sign(call?.body ?? ""),
    });
    expect(JSON.parse(call?.body ?? "")).toEqual({
      type: "quota_exceed",
      title: "Turnpike 额度预警 / Turnpike low balance",
      content: expect.stringContaining("$0.0008") as string,
      values: ["$0.0008", "$0.002"],
      timestamp: expect.any(Number) as number,
    });
  });

  it("sends unsigned calls without a secret", async () => {
    warn({ webhookSecret: "" });
    await vi.waitFor(() => expect(receiver.calls).toHaveLength(1), soon);
    expect(receiver.calls[0]?.headers).not.toHaveProperty("x-webhook-signature");
  });

  it("retries after a failure, with the same id, body and signature", async () => {
    receiver.statuses.push(500, 429);
    warn();
    await settled("sent");
    expect(receiver.calls).toHaveLength(3);
    const facts = receiver.calls.map(({ body, headers }) => [
      body,
      headers["x-webhook-id"],
      headers["x-webhook-signature"],
    ]);
    expect(new Set(facts.map((fact) => fact.join())).size).toBe(1);
  });

  it.each([404, 410, 302])("drops a call at once on status %i", async (status) => {
    receiver.statuses.push(status);
    warn();
    await settled("dead");
    expect(receiver.calls.map(({ path }) => path)).toEqual(["/hook"]);
    expect((await rows())[0]).toMatchObject({ lastError: `HTTP ${status}` });
  });

  it("uses the user's current address when a call is sent", async () => {
    receiver.statuses.push(500, 500, 500, 500);
    const userId = warn();
    await vi.waitFor(() => expect(receiver.calls.length).toBeGreaterThan(0), soon);
    expected(userId, { webhookUrl: `${receiver.url}/new` });
    await settled("sent");
    expect(receiver.calls.at(-1)?.path).toBe("/new");
  });

  it("leaves no secret in the database or the log", async () => {
    receiver.statuses.push(500);
    warn();
    await settled("sent");
    expect(JSON.stringify(await rows()) + world.logText()).not.toContain(SECRET);
  });

  it("allows tests with typed or stored settings", async () => {
    expected(5);
    expect(await test(5)).toMatchObject({ status: 200 });
    expect(await test(5, `${receiver.url}/typed`, "another")).toMatchObject({ status: 200 });
    const [stored, typed] = receiver.calls;
    expect(stored?.headers["x-webhook-signature"]).toBe(sign(stored?.body ?? ""));
    expect(typed).toMatchObject({
      path: "/typed",
      headers: {
        "x-webhook-signature": createHmac("sha256", "another")
          .update(typed?.body ?? "")
          .digest("hex"),
      },
    });
    expect(JSON.parse(typed?.body ?? "")).toMatchObject({ type: "webhook_test", values: [] });
  });

  it("never signs for a typed address with the stored secret", async () => {
    expected(6);
    await test(6, `${receiver.url}/typed`);
    expect(receiver.calls[0]?.headers).not.toHaveProperty("x-webhook-signature");
  });

  it("reports what went wrong in a test", async () => {
    expected(7);
    receiver.statuses.push(503);
    await expect(test(7)).rejects.toMatchObject({ code: "webhook_failed", params: { detail: "HTTP 503" } });
    await expect(test(7, `${receiver.url.replace("https", "http")}/`)).rejects.toEqual(code("webhook_url_not_https"));
    await expect(test(7, "nonsense")).rejects.toEqual(code("webhook_url_not_https"));
    await expect(test(8)).rejects.toEqual(code("webhook_url_required"));
    const { url } = receiver;
    await receiver.stop();
    await expect(test(7, url)).rejects.toMatchObject({ code: "webhook_failed", params: { detail: "ECONNREFUSED" } });
    receiver = await startReceiver(certificate);
  });

  it("drops a call in bounded time if there is no response", async () => {
    await expect(
      world.webhooks.testWebhook(
        { userId: 10, url: `${receiver.url}/silent`, secret: "" },
        { ...actor(10), timeoutMs: 15_000 },
      ),
    ).rejects.toMatchObject({ code: "webhook_failed", params: { detail: "timeout" } });
  });

  it("allows five tests a minute per user, each by its owner", async () => {
    expected(11);
    for (let round = 0; round < 5; round++) await test(11);
    await expect(test(11)).rejects.toMatchObject({ code: "rate_limited" });
    await expect(world.webhooks.testWebhook({ userId: 11, url: "", secret: "" }, actor(12))).rejects.toEqual(
      code("permission_denied"),
    );
  });
});

describe("webhooks to private addresses", () => {
  let world: World;
  let receiver: Receiver;
  beforeAll(async () => {
    world = await startMessagingWorld();
    await world.startNotices();
    receiver = await startReceiver(certificate);
  });
  afterAll(async () => {
    await receiver.stop();
    await world.stop();
  });

  it("refuses tests of private addresses, in every spelling", async () => {
    const port = new URL(receiver.url).port;
    const hosts = [
      "127.0.0.1",
      "localhost",
      "169.254.169.254",
      "10.0.0.1",
      "[::1]",
      "[::ffff:127.0.0.1]",
      "2130706433",
      "0x7f.1",
    ];
    for (const [index, host] of hosts.entries()) {
      const requested = { userId: 30 + index, url: `https://${host}:${port}/`, secret: "" };
      await expect(world.webhooks.testWebhook(requested, actor(requested.userId))).rejects.toEqual(
        code("webhook_address_refused"),
      );
    }
    expect(receiver.calls).toEqual([]);
  });

  it("drops calls to stored private addresses", async () => {
    world.auth.targets.set(40, { notifyType: "webhook", webhookUrl: `${receiver.url}/hook` });
    world.bus.notify(accountsSpent, { accounts: [{ userId: 40, quota: 0 }] });
    await vi.waitFor(
      async () =>
        expect(await world.mongo.collection("deliveries").find().toArray()).toMatchObject([
          { status: "dead", lastError: "address not allowed" },
        ]),
      soon,
    );
    expect(receiver.calls).toEqual([]);
  });
});

describe("webhooks through the operator's worker", () => {
  let world: World;
  let worker: Receiver;
  beforeAll(async () => {
    world = await startMessagingWorld();
    worker = await startReceiver(certificate);
    world.auth.secrets = { WorkerValidKey: "key-of-the-worker" };
    world.setOptions({ WorkerUrl: `${worker.url}/worker` });
  });
  afterAll(async () => {
    await worker.stop();
    await world.stop();
  });
  const test = (userId: number, url: string) =>
    world.webhooks.testWebhook({ userId, url, secret: SECRET }, actor(userId));

  it("sends calls to the worker, signed, with its key", async () => {
    expect(await test(2, "https://8.8.8.8/hook")).toMatchObject({ status: 200 });
    const [call] = worker.calls;
    const reported = JSON.parse(call?.body ?? "") as { headers: Record<string, string>; body: unknown };
    expect(reported).toMatchObject({ url: "https://8.8.8.8/hook", key: "key-of-the-worker", method: "POST" });
    expect(reported.headers["x-webhook-signature"]).toBe(sign(JSON.stringify(reported.body)));
    expect(world.logText()).not.toContain("key-of-the-worker");
  });

  it("refuses private addresses before the worker receives them", async () => {
    worker.calls.length = 0;
    await expect(test(2, "https://169.254.169.254/latest")).rejects.toEqual(code("webhook_address_refused"));
    expect(worker.calls).toEqual([]);
  });
});
