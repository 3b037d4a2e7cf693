import { createLogger } from "@turnpike/shared/log/log";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { scanKeys } from "@turnpike/shared/redis/scan";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { isSettled } from "../../lib/settled.ts";
import { useTestSite } from "../../lib/test-site-world.ts";

type Json = Record<string, unknown>;

const log = createLogger("background-takeover", "silent");
const at = useTestSite({ relayWorkers: 2 });
const CLAUDE = "claude-3-5-sonnet-20241022";
const MODELS = [CLAUDE, "gpt-4o"];
const RELAYS = ["relay", "relay-1"];
const SLOW = { pieces: 600, frameGapMs: 100 };
const AGAIN = { text: "said by the second run" };
const BALANCE = 1_000_000_000;
const WITHIN_MS = 120_000;

/** A call on a connection of its own: a relay that died cuts it, a paused one never responds, and it is repeated. */
async function send(key: string, method: string, path: string, body?: Json): Promise<{ status: number; body: Json }> {
  const sendOnce = async () => {
    const response = await fetch(`${at.world.relayUrl}/v1/responses${path}`, {
      method,
      headers: { "content-type": "application/json", authorization: `Bearer ${key}`, connection: "close" },
      ...(body ? { body: JSON.stringify(body) } : {}),
      signal: AbortSignal.timeout(5_000),
    });
    return { status: response.status, body: (await response.json()) as Json };
  };
  return at.testSite.eventually(`${method} ${path}`, 60_000, () => sendOnce().catch(() => undefined));
}

/** A user with one token of that name. */
async function openUser(name: string) {
  const { client } = await at.testSite.createUser(BALANCE);
  const { key, id } = await at.testSite.token({ name }, client);
  return { client, key, id, name };
}
type User = Awaited<ReturnType<typeof openUser>>;

/** The relay that runs a background response right now. */
async function findOwner(): Promise<string | undefined> {
  const redis = connectRedis({ url: at.world.redisUrl, namespace: at.world.namespace, log });
  try {
    await waitForRedis(redis, 5_000);
    for await (const keys of scanKeys(redis, "responses:*"))
      for (const name of keys) {
        const [state, owner = ""] = await redis.hmget(name, "state", "relay").catch(() => []);
        if (state === "running") return RELAYS.find((relay) => owner?.includes(`-${at.world.pid(relay)}-`));
      }
    return undefined;
  } finally {
    redis.disconnect();
  }
}
const waitForOwner = (): Promise<string> => at.testSite.eventually("the running response", WITHIN_MS, findOwner);

/** Starts a response that its upstream writes for a minute; returns its id and relay. */
async function startSlow({ key }: User, model = CLAUDE): Promise<{ id: string; owner: string }> {
  const made = await send(key, "POST", "", { model, input: "x", background: true });
  expect(made.status).toBe(200);
  const owner = await waitForOwner();
  await at.testSite.eventually("the call", 10_000, async () => at.upstream.calls.length > 0 || undefined);
  return { id: String(made.body["id"]), owner };
}

const readEnd = ({ key }: User, id: string): Promise<Json> =>
  at.testSite.eventually("the end", WITHIN_MS, async () => {
    const { body } = await send(key, "GET", `/${id}`);
    return body["status"] === "queued" || body["status"] === "in_progress" ? undefined : body;
  });

/** Reads the events as a client does: after a cut, from the last one on. */
async function follow({ key }: User, id: string): Promise<Json[]> {
  const events: Json[] = [];
  const read = async (): Promise<boolean> => {
    const after = events.at(-1)?.["sequence_number"] as number | undefined;
    const query = after === undefined ? "" : `&starting_after=${after}`;
    const response = await fetch(`${at.world.relayUrl}/v1/responses/${id}?stream=true${query}`, {
      headers: { authorization: `Bearer ${key}`, connection: "close" },
    });
    let text = "";
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk as Uint8Array, { stream: true });
      const frames = text.split("\n\n");
      text = frames.pop() ?? "";
      for (const frame of frames)
        if (frame.includes("data: ")) events.push(JSON.parse(frame.slice(frame.indexOf("data: ") + 6)) as Json);
    }
    return response.ok;
  };
  await at.testSite.eventually("the last event", WITHIN_MS, async () => (await read().catch(() => false)) || undefined);
  return events;
}

/** The rows of the user once everything is posted and no hold is left; the balance is what they leave. */
async function readRows({ name, client }: User): Promise<{ quota: number; completion_tokens: number }[]> {
  await at.testSite.eventually("posting", WITHIN_MS, async () => (await isSettled(at.world)) || undefined);
  const read = async () =>
    (await at.testSite.logs({ token_name: name, type: 2 })).items as { quota: number; completion_tokens: number }[];
  const check = async (): Promise<true | undefined> => {
    const self = await client.get<{ quota: number }>("/api/user/self");
    const spent = (await read()).reduce((sum, { quota }) => sum + quota, 0);
    return self.quota === BALANCE - spent || undefined;
  };
  await at.testSite.eventually("the balance", 60_000, check);
  return read();
}

beforeAll(async () => {
  const { key } = await at.testSite.token();
  for (const model of MODELS)
    await at.testSite.eventually(model, 20_000, async () => {
      const { status } = await send(key, "POST", "", { model, input: "x" });
      return status === 200 || undefined;
    });
}, 120_000);
afterEach(async () => {
  for (const relay of RELAYS) at.world.kill(relay, "SIGCONT");
  await at.world.waitReady(...RELAYS);
}, 60_000);

describe("background response whose relay dies", { timeout: 300_000 }, () => {
  it.each(MODELS)("is run again by another relay, charged once, and its events continue: %s", async (model) => {
    const user = await openUser(`again-${model.slice(0, 10)}`);
    at.upstream.next({}, SLOW);
    at.upstream.next({}, AGAIN);
    const { id, owner } = await startSlow(user, model);
    const following = follow(user, id);
    await at.testSite.eventually("some events", 10_000, async () => {
      const response = await fetch(`${at.world.relayUrl}/v1/responses/${id}?stream=true`, {
        headers: { authorization: `Bearer ${user.key}`, connection: "close" },
        signal: AbortSignal.timeout(1_500),
      });
      const first = await response.body?.getReader().read();
      return first?.value !== undefined || undefined;
    });
    at.world.kill(owner);
    expect((await send(user.key, "GET", `/${id}`)).body["status"]).toBe("in_progress");
    const ended = await readEnd(user, id);
    expect(ended).toMatchObject({ id, status: "completed", background: true });
    expect(JSON.stringify(ended["output"])).toContain(AGAIN.text);
    const events = await following;
    const numbers = events.map((event) => Number(event["sequence_number"]));
    expect(numbers).toEqual(numbers.map((_, index) => index));
    expect(events.filter(({ type }) => type === "response.created")).toHaveLength(2);
    expect(events.at(-1)).toMatchObject({ type: "response.completed", response: { id } });
    const rows = await readRows(user);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.quota).toBeGreaterThan(0);
    // What the first run generated is not in it.
    expect(rows[0]?.completion_tokens).toBeLessThan(30);
  });

  it("fails when the second relay dies too, and costs nothing", async () => {
    const user = await openUser("killed-twice");
    at.upstream.always({}, SLOW);
    const { id, owner } = await startSlow(user);
    at.world.kill(owner);
    await at.testSite.eventually("the second run", WITHIN_MS, async () => at.upstream.calls.length > 1 || undefined);
    at.world.kill(await waitForOwner());
    expect(await readEnd(user, id)).toMatchObject({ id, status: "failed", error: { code: "server_error" } });
    expect((await follow(user, id)).at(-1)).toMatchObject({ type: "response.failed", response: { id } });
    await expect.poll(() => readRows(user), { timeout: 60_000 }).toEqual([]);
  });

  it("keeps the result and charge of the second run when a paused relay comes back", async () => {
    const user = await openUser("paused");
    at.upstream.next({}, SLOW);
    at.upstream.next({}, AGAIN);
    const { id, owner } = await startSlow(user);
    at.world.kill(owner, "SIGSTOP");
    const ended = await readEnd(user, id);
    expect(JSON.stringify(ended["output"])).toContain(AGAIN.text);
    at.world.kill(owner, "SIGCONT");
    // The paused relay reads the rest of its upstream, or is refused when it stores the next event.
    await at.testSite.eventually("the first run's end", 90_000, async () => {
      const metrics = await at.world.metrics(owner);
      return /^turnpike_relay_streams_in_flight 0$/m.test(metrics) || undefined;
    });
    expect((await send(user.key, "GET", `/${id}`)).body).toEqual(ended);
    const rows = await readRows(user);
    expect(rows).toHaveLength(1);
    expect(rows[0]?.completion_tokens).toBeLessThan(30);
  });

  it("fails with the reason when its token was deleted meanwhile, and costs nothing", async () => {
    const user = await openUser("revoked");
    at.upstream.next({}, SLOW);
    const { id, owner } = await startSlow(user);
    const { key } = await at.testSite.token({ name: "other" }, user.client);
    await user.client.delete(`/api/token/${user.id}`);
    at.world.kill(owner);
    expect(await readEnd({ ...user, key }, id)).toMatchObject({ status: "failed", error: { code: "invalid_api_key" } });
    await expect.poll(() => readRows(user), { timeout: 60_000 }).toEqual([]);
  });

  it.each([
    ["cancelled", "POST", "/cancel", { status: 200, body: { status: "cancelled" } }],
    ["deleted", "DELETE", "", { status: 404 }],
  ] as const)("is not run again when it was %s before", async (what, method, action, shown) => {
    const user = await openUser(what);
    at.upstream.always({}, SLOW);
    const { id, owner } = await startSlow(user);
    at.world.kill(owner);
    expect((await send(user.key, method, `/${id}${action}`)).status).toBe(200);
    // The janitor posts what was generated; nothing runs after that.
    await expect.poll(async () => (await readRows(user)).length, { timeout: WITHIN_MS }).toBe(1);
    await expect.poll(() => send(user.key, "GET", `/${id}`), { timeout: 60_000 }).toMatchObject(shown);
    await at.testSite.eventually("the end", WITHIN_MS, async () => (await findOwner()) === undefined || undefined);
    expect(at.upstream.calls).toHaveLength(1);
  });

  it("is handed over by a relay that stops, and charged once", async () => {
    const user = await openUser("stopped");
    at.upstream.next({}, SLOW);
    at.upstream.next({}, AGAIN);
    const { id, owner } = await startSlow(user);
    at.world.kill(owner, "SIGTERM");
    const ended = await readEnd(user, id);
    expect(JSON.stringify(ended["output"])).toContain(AGAIN.text);
    expect(await readRows(user)).toHaveLength(1);
  });
});
