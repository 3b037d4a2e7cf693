import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { scanKeys } from "@turnpike/shared/redis/scan";
import { beforeAll, describe, expect, it } from "vitest";
import { isSettled } from "../../lib/settled.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

type Reply = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly trailers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
  readonly isWhole: boolean;
};
type Json = Record<string, unknown>;

const REPEATS = 200;
const log = createLogger("idempotency", "silent");
const at = useTestSite({ relayWorkers: 2 });
let key: string;

const createBody = (fields: Json = {}): Json => ({
  model: "gpt-4o",
  messages: [{ role: "user", content: "Only once." }],
  ...fields,
});

/** A call on a connection of its own, so that both relays get some; `abortAfterMs` disconnects the client. */
function post(
  idempotencyKey: string,
  body: Json,
  { asKey = key, path = "/v1/chat/completions", abortAfterMs = 0 } = {},
) {
  return new Promise<Reply>((resolve) => {
    const headers = {
      authorization: `Bearer ${asKey}`,
      connection: "close",
      "content-type": "application/json",
      "idempotency-key": idempotencyKey,
    };
    const lost = { status: 0, headers: {}, trailers: {}, text: "", isWhole: false };
    const call = request(at.world.relayUrl + path, { method: "POST", headers }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => (text += part));
      response.on("error", () => undefined);
      response.on("close", () => {
        const { statusCode: status = 0, trailers, complete: isWhole } = response;
        resolve({ status, headers: response.headers, trailers, text, isWhole });
      });
    });
    call.on("error", () => resolve(lost));
    if (abortAfterMs > 0) setTimeout(() => call.destroy(), abortAfterMs);
    call.end(JSON.stringify(body));
  });
}

const repeat = (count: number, run: () => Promise<Reply>): Promise<Reply[]> =>
  Promise.all(Array.from({ length: count }, run));

/** The rows of charged calls since `from`, once everything is posted. */
async function readRows(name: string): Promise<readonly { quota: number; request_id: string }[]> {
  await at.testSite.eventually("posting", 60_000, async () => (await isSettled(at.world)) || undefined);
  return (await at.testSite.logs({ token_name: name, type: 2 })).items;
}

/** A token whose rows can be distinguished from others. */
async function addToken(): Promise<{ key: string; name: string }> {
  const name = `once-${randomUUID().slice(0, 8)}`;
  return { name, key: (await at.testSite.token({ name })).key };
}

/** The relay that runs a call with a key right now. */
async function findOwner(): Promise<string | undefined> {
  const redis = connectRedis({ url: at.world.redisUrl, namespace: at.world.namespace, log });
  try {
    await waitForRedis(redis, 5_000);
    for await (const keys of scanKeys(redis, "idem:*"))
      for (const name of keys) {
        const [state, owner = ""] = await redis.hmget(name, "state", "relay").catch(() => []);
        if (state === "running")
          return ["relay", "relay-1"].find((relay) => owner?.includes(`-${at.world.pid(relay)}-`));
      }
    return undefined;
  } finally {
    redis.disconnect();
  }
}

beforeAll(async () => {
  ({ key } = await at.testSite.token());
  await at.testSite.eventually("both relays", 20_000, async () => {
    const replies = await repeat(12, () => post(randomUUID(), createBody()));
    return replies.every(({ status }) => status === 200) || undefined;
  });
});

describe("call with an idempotency key", () => {
  it.each([false, true])(
    "runs and is charged once however often it is repeated at once, streamed: %s",
    async (stream) => {
      const token = await addToken();
      const before = at.upstream.calls.length;
      at.upstream.next({}, { pieces: 10, frameGapMs: 100, delayMs: 300 });
      const id = randomUUID();
      const replies = await repeat(REPEATS, () => post(id, createBody({ stream }), { asKey: token.key }));
      expect(new Set(replies.map(({ status }) => status))).toEqual(new Set([200]));
      expect(new Set(replies.map(({ text }) => text)).size).toBe(1);
      expect(replies.filter(({ headers }) => headers["idempotent-replayed"] === "true")).toHaveLength(REPEATS - 1);
      expect(at.upstream.calls.length).toBe(before + 1);
      const again = await post(id, createBody({ stream }), { asKey: token.key });
      expect(again).toMatchObject({ status: 200, text: replies[0]?.text, headers: { "idempotent-replayed": "true" } });
      const costs = [...replies, again].map(
        ({ headers, trailers }) => (stream ? trailers : headers)["x-turnpike-cost"],
      );
      const rows = await readRows(token.name);
      expect(rows.map(({ request_id }) => request_id)).toEqual([again.headers["x-request-id"]]);
      expect(new Set(costs)).toEqual(new Set([String((rows[0]?.quota ?? 0) / 500_000)]));
    },
  );

  it("goes on when its client disconnects, and a repeat gets its response", async () => {
    const token = await addToken();
    at.upstream.next({}, { pieces: 10, frameGapMs: 50 });
    const id = randomUUID();
    const lost = await post(id, createBody({ stream: true }), { asKey: token.key, abortAfterMs: 200 });
    expect(lost.isWhole).toBe(false);
    const reply = await post(id, createBody({ stream: true }), { asKey: token.key });
    expect(reply.text).toContain("w9");
    expect(reply.text).toContain("[DONE]");
    expect(await readRows(token.name)).toHaveLength(1);
  });

  it("is refused with another body, and unknown to another user", async () => {
    const id = randomUUID();
    const first = await post(id, createBody());
    const other = await post(id, createBody({ temperature: 1 }));
    expect(other.status).toBe(422);
    expect(JSON.parse(other.text)).toMatchObject({
      error: { code: "idempotency_key_reused", param: "idempotency-key" },
    });
    // Fields that the gateway itself reads belong to the body, too.
    for (const fields of [{ models: ["gpt-4o-mini"] }, { usage: { include: true } }, { max_tokens: 0 }])
      expect((await post(id, createBody(fields))).status).toBe(422);
    const messages = { max_tokens: 9, ...createBody({ fallbacks: [{ model: "gpt-4o-mini" }] }) };
    const [own, path] = [randomUUID(), "/v1/messages"];
    expect((await post(own, messages, { path })).status).toBe(200);
    expect((await post(own, { ...messages, fallbacks: [{ model: "gemini-2.0-flash" }] }, { path })).status).toBe(422);
    expect((await post(own, messages, { path })).headers["idempotent-replayed"]).toBe("true");
    const user = await at.testSite.createUser(10_000_000);
    const { key: asKey } = await at.testSite.token({}, user.client);
    const foreign = await post(id, createBody({ temperature: 1 }), { asKey });
    expect(foreign.status).toBe(200);
    expect(foreign.headers["idempotent-replayed"]).toBeUndefined();
    expect(foreign.headers["x-request-id"]).not.toBe(first.headers["x-request-id"]);
  });

  it.each(["", "k".repeat(256), "a\tb", "a\u0085b"])("is refused with an invalid key: %j", async (id) => {
    const reply = await post(id, createBody());
    expect(reply.status).toBe(400);
    expect(JSON.parse(reply.text)).toMatchObject({ error: { param: "idempotency-key" } });
  });

  it("runs again after a failure, which is not stored", async () => {
    const token = await addToken();
    at.upstream.next({}, { refuse: { status: 400 } });
    const id = randomUUID();
    expect((await post(id, createBody(), { asKey: token.key })).status).toBe(400);
    expect((await post(id, createBody(), { asKey: token.key })).status).toBe(200);
    expect(await readRows(token.name)).toHaveLength(1);
  });

  it.each([false, true])(
    "is charged once for a failure that was charged, which its repeats get as it was, streamed: %s",
    async (stream) => {
      const token = await addToken();
      const usageMetadata = { promptTokenCount: 5_000, totalTokenCount: 5_000 };
      const blocked = JSON.stringify({ promptFeedback: { blockReason: "PROHIBITED_CONTENT" }, usageMetadata });
      const type = stream ? "text/event-stream" : "application/json";
      const raw = {
        status: 200,
        headers: { "content-type": type },
        body: stream ? `data: ${blocked}\n\n` : blocked,
      };
      at.upstream.always({ model: "gemini-2.0-flash" }, { raw, delayMs: 300 });
      const id = randomUUID();
      const send = () => post(id, createBody({ model: "gemini-2.0-flash", stream }), { asKey: token.key });
      const replies = [...(await repeat(10, send)), await send()];
      expect(new Set(replies.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
      expect(JSON.parse(replies[0]?.text ?? "")).toMatchObject({ error: { code: "content_filter" } });
      expect(replies.filter(({ headers }) => headers["idempotent-replayed"] === "true")).toHaveLength(10);
      const rows = await readRows(token.name);
      expect(rows.map(({ quota }) => quota)).toEqual([expect.toSatisfy((quota: number) => quota > 0)]);
      const costs = new Set(replies.map(({ headers }) => headers["x-turnpike-cost"]));
      expect(costs).toEqual(new Set([String((rows[0]?.quota ?? 0) / 500_000)]));
      expect(new Set(replies.map(({ headers }) => headers["x-request-id"]))).toEqual(new Set([rows[0]?.request_id]));
    },
  );

  it("is refused when it is repeated after a response that is too large to be stored", async () => {
    at.upstream.next({}, { text: "large ".repeat(800_000) });
    const id = randomUUID();
    expect((await post(id, createBody())).status).toBe(200);
    const reply = await post(id, createBody());
    expect(reply.status).toBe(409);
    expect(reply.text).toContain("too large to be stored");
  });

  it.each([false, true])("is charged once although a relay is killed while it runs, streamed: %s", async (stream) => {
    const token = await addToken();
    const id = randomUUID();
    at.upstream.always({}, { pieces: 20, frameGapMs: 150, delayMs: 2_000, text: "The same text each time." });
    const send = () => post(id, createBody({ stream }), { asKey: token.key });
    const running = repeat(REPEATS, send);
    at.world.kill(await at.testSite.eventually("the running call", 5_000, findOwner));
    const replies = await running;
    const statuses = new Set<number>();
    const late = await at.testSite.eventually("the response", 90_000, async () => {
      const reply = await send();
      if (reply.status === 200 && reply.isWhole) return reply;
      if (reply.isWhole) statuses.add(reply.status);
      return undefined;
    });
    expect([...statuses].filter((status) => status !== 409)).toEqual([]);
    const whole = replies.filter(({ status, isWhole }) => status === 200 && isWhole);
    const contents = [...whole, late].map(({ text }) => text.replaceAll(/"(id|created)":[^,]*,/g, ""));
    expect(new Set(contents).size).toBe(1);
    await expect.poll(async () => (await readRows(token.name)).length, { timeout: 60_000 }).toBe(1);
    const [row] = await readRows(token.name);
    expect(row?.request_id).toBe(late.headers["x-request-id"]);
    await at.testSite.eventually(
      "both relays",
      30_000,
      async () => ["relay", "relay-1"].every((name) => at.world.pid(name) !== undefined) || undefined,
    );
  });
});
