import { randomUUID } from "node:crypto";
import type { ServerResponse } from "node:http";
import { createSecretBox } from "@turnpike/shared/crypto/secret-box";
import { createLogger } from "@turnpike/shared/log/log";
import { RELAYS_KEY } from "@turnpike/shared/accounts/account-keys";
import { connectRedis, waitForRedis } from "@turnpike/shared/redis/redis";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { CHARGE_HEADER } from "../../../services/relay/src/core/call/charge-headers.ts";
import type { Exchange, HandleCall } from "../../../services/relay/src/core/call/exchange.ts";
import type { RelayCall } from "../../../services/relay/src/core/call/relay-call.ts";
import { IdempotentCalls, withIdempotency } from "../../../services/relay/src/pipeline/idempotency/idempotent-calls.ts";
import { createStoredCallResponses } from "../../../services/relay/src/pipeline/idempotency/stored-call-responses.ts";
import { createOwnerLiveness } from "../../../services/relay/src/pipeline/idempotency/owner-liveness.ts";
import { testBacking } from "../../lib/backing/test-backing.ts";

const log = createLogger("test", "silent");
const { redisUrl: url, namespace } = testBacking();
const redis = connectRedis({ url, namespace, log });
const beat = async (): Promise<void> => {
  const [seconds] = await redis.time();
  await redis.zadd(RELAYS_KEY, Number(seconds) * 1_000, "a", Number(seconds) * 1_000, "b");
};
beforeAll(async () => void (await waitForRedis(redis, 5_000)));
beforeEach(beat);
afterAll(() => redis.disconnect());

// A try to store the end is repeated after a second: what follows a call must wait longer than that.
const times = { endWaitMs: 300, endAttempts: 3, beatMs: 100, silentMs: 1_800 };
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A relay; `faults` decides what becomes of its writes to Redis. */
function openRelay(relayId: string, serve: HandleCall) {
  const faults = { mode: "none" as "none" | "down" | "reply lost" };
  const masterKey = "0123456789abcdef0123456789abcdef";
  const bounds = { response: 1e6, user: 1e7, all: 1e8 };
  const secretBox = createSecretBox(masterKey);
  const kept = createStoredCallResponses({ redis, relayId, secretBox, bounds, now: Date.now });
  const faulty =
    <Args extends unknown[], Result>(run: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      if (faults.mode !== "down") {
        const result = await run(...args);
        if (faults.mode === "none") return result;
      }
      throw new Error("Command timed out");
    };
  const written = { append: faulty(kept.append), release: faulty(kept.release), drop: faulty(kept.drop) };
  const progress = { readPieces: 0 };
  const read = faulty(async (...args: Parameters<typeof kept.read>) => {
    const result = await kept.read(...args);
    progress.readPieces += result.pieces.length;
    return result;
  });
  const failing = { ...kept, ...written, claim: faulty(kept.claim), read };
  const calls = new IdempotentCalls({
    responses: failing,
    owners: createOwnerLiveness(redis),
    relayId,
    times,
    log,
  });
  const submit: HandleCall = (call, exchange) => {
    const { idempotencyKey: key = "", requestId } = call;
    const submission = { key, userId: 7, requestId, fingerprint: "task", canRunAgain: false };
    return calls.handle({ ...submission, serve: (own) => serve({ ...call, requestId: own.requestId }, own) }, exchange);
  };
  return {
    faults,
    progress,
    call: (key: string) => callOnce(withIdempotency(serve, calls), key),
    submit: (key: string) => callOnce(submit, key),
  };
}

type Reply = { readonly text: string; readonly isWhole: boolean; readonly requestId: string };

/** One client's call; rejects with its refusal. */
async function callOnce(handle: HandleCall, idempotencyKey: string): Promise<Reply> {
  let text = "";
  let isWhole = false;
  let requestId = "";
  const response = {
    headersSent: false,
    useChunkedEncodingByDefault: true,
    setHeader: () => undefined,
    writeHead(_status: number, headers: Record<string, string>) {
      requestId = headers["x-request-id"] ?? "";
    },
    write: (bytes: Buffer) => {
      text += bytes.toString();
      return true;
    },
    addTrailers: () => undefined,
    end(bytes?: Buffer) {
      text += bytes?.toString() ?? "";
      isWhole = true;
    },
    destroy: () => undefined,
  } as unknown as ServerResponse;
  const exchange: Exchange = {
    requestId: "",
    response,
    isDisconnected: () => false,
    onDisconnect: () => () => undefined,
  };
  const call = {
    idempotencyKey,
    requestId: randomUUID(),
    dialect: { name: "openai-chat" },
    model: "m",
    stream: true,
    bodyText: "{}",
    admitted: { caller: { known: { token: { userId: 7 } } } },
  } as unknown as RelayCall;
  await handle(call, exchange);
  return { text, isWhole, requestId };
}

/** Serves charged streams; `during` runs between the two halves. */
function createServe(during: () => Promise<void> | void = () => undefined) {
  const served: string[] = [];
  const serve: HandleCall = async ({ requestId }, { response }) => {
    served.push(requestId);
    response.writeHead(200, { "x-request-id": requestId });
    response.write("one ");
    await wait(250);
    await during();
    response.write("two ");
    await wait(150);
    response.addTrailers({ [CHARGE_HEADER]: "0.1" });
    response.end("three");
  };
  return { serve, served };
}
const WHOLE = { text: "one two three", isWhole: true };

it.each(["down", "reply lost"] as const)(
  "streams on while Redis fails (%s) in the middle, and repeats anywhere get the complete response",
  async (mode) => {
    const key = randomUUID();
    const { serve, served } = createServe(() => {
      owner.faults.mode = mode;
      setTimeout(() => (owner.faults.mode = "none"), 250);
    });
    const [owner, other] = [openRelay("a", serve), openRelay("b", serve)];
    const running = owner.call(key);
    await wait(100);
    const following = other.call(key);
    const replies = [await running, await following, await owner.call(key), await other.call(key)];
    expect(replies).toEqual(replies.map(() => expect.objectContaining({ ...WHOLE, requestId: served[0] })));
    expect(served).toHaveLength(1);
  },
);

it("ends a response although Redis does not take its end, which repeats on this relay get until it does", async () => {
  const key = randomUUID();
  const { serve, served } = createServe(() => void (owner.faults.mode = "down"));
  const owner = openRelay("a", serve);
  expect(await owner.call(key)).toMatchObject(WHOLE);
  expect(await owner.call(key)).toMatchObject(WHOLE);
  owner.faults.mode = "none";
  await wait(1_500);
  expect(await openRelay("b", serve).call(key)).toMatchObject(WHOLE);
  expect(served).toHaveLength(1);
});

it("refuses repeats of a charged call that could not be stored at all, on every relay", async () => {
  const key = randomUUID();
  const { serve, served } = createServe(() => void (owner.faults.mode = "down"));
  const [owner, other] = [openRelay("a", serve), openRelay("b", serve)];
  expect(await owner.call(key)).toMatchObject(WHOLE);
  await wait(2_000);
  owner.faults.mode = "none";
  await expect(owner.call(key)).rejects.toMatchObject({ code: "idempotency_conflict" });
  await expect(owner.call(key)).rejects.toThrow("done and charged");
  await expect(other.call(key)).rejects.toThrow("done and charged");
  expect(served).toHaveLength(1);
});

it.each(["a", "b"])("runs a call whose claim got no reply when it is repeated, on relay %s", async (name) => {
  const key = randomUUID();
  const { serve, served } = createServe();
  const owner = openRelay("a", serve);
  owner.faults.mode = "reply lost";
  await expect(owner.call(key)).rejects.toMatchObject({ code: "service_unavailable" });
  owner.faults.mode = "none";
  const reply = await (name === "a" ? owner : openRelay("b", serve)).call(key);
  expect(reply).toMatchObject({ ...WHOLE, requestId: served[0] });
  expect(served).toHaveLength(1);
});

it("waits on another relay for a call that produces nothing for long", async () => {
  const key = randomUUID();
  const { serve, served } = createServe(() => wait(2_000));
  const [owner, other] = [openRelay("a", serve), openRelay("b", serve)];
  const running = owner.call(key);
  await wait(50);
  expect(await other.call(key)).toMatchObject(WHOLE);
  expect([await running, served.length]).toMatchObject([WHOLE, 1]);
});

it("cuts off a repeat that cannot read the response for too long", async () => {
  const key = randomUUID();
  const { serve } = createServe(() => wait(3_000));
  const [owner, other] = [openRelay("a", serve), openRelay("b", serve)];
  const running = owner.call(key);
  await wait(50);
  const following = other.call(key);
  await expect.poll(() => other.progress.readPieces, { timeout: 2_500 }).toBeGreaterThan(0);
  other.faults.mode = "down";
  const first = await Promise.race([running, following]);
  expect(first).toMatchObject({ text: "one ", isWhole: false });
  expect(await running).toMatchObject(WHOLE);
});

it("runs a call of a dead relay again under its first request id, but never a submission", async () => {
  const [asCall, asTask] = [randomUUID(), randomUUID()];
  const { serve, served } = createServe(() => (served.length <= 2 ? wait(10_000) : undefined));
  const [dead, other] = [openRelay("a", serve), openRelay("b", serve)];
  void dead.call(asCall).catch(() => undefined);
  void dead.submit(asTask).catch(() => undefined);
  await wait(100);
  await redis.zrem(RELAYS_KEY, "a");
  await expect(other.submit(asTask)).rejects.toMatchObject({ code: "idempotency_conflict" });
  await expect(other.submit(asTask)).rejects.toThrow("what became of it is not known");
  expect(await other.call(asCall)).toMatchObject({ ...WHOLE, requestId: served[0] });
  expect(served).toHaveLength(3);
});
