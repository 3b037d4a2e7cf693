import { setTimeout as wait } from "node:timers/promises";
import { createLease, type LeaseStore } from "@turnpike/shared/lease/lease";
import { createMongoLeaseStore } from "@turnpike/shared/lease/mongo-lease-store";
import { createRedisLeaseStore } from "@turnpike/shared/lease/redis-lease-store";
import { createLogger } from "@turnpike/shared/log/log";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { connectRedis, type Redis, waitForRedis } from "@turnpike/shared/redis/redis";
import type { Connection } from "mongoose";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";

const log = createLogger("lease-test", "silent");
const backing = testBacking();
const LONG_MS = 60_000;
const SHORT_MS = 150;

type RunDoc = { _id: string; isRunning: boolean; holder?: string; untilMs?: number };

let mongo: Connection;
let redis: Redis;
let names = 0;
beforeAll(async () => {
  mongo = await connectMongo(backing.mongodbUrl);
  redis = connectRedis({ url: backing.redisUrl, namespace: backing.namespace, log });
  await waitForRedis(redis, 3_000);
});
afterAll(async () => {
  await mongo.close();
  redis.disconnect();
});

const runs = () => mongo.collection<RunDoc>("runs");
const FIELDS = { holderField: "holder", untilField: "untilMs" };
const stores: [string, () => LeaseStore][] = [
  ["Redis", () => createRedisLeaseStore(redis, `lease-${++names}`)],
  ["MongoDB", () => createMongoLeaseStore({ collection: runs(), id: `lease-${++names}`, ...FIELDS })],
];

describe.each(stores)("a lease in %s", (_name, makeStore) => {
  const make = (durationMs = LONG_MS) => {
    const store = makeStore();
    return [createLease({ store, durationMs }), createLease({ store, durationMs })] as const;
  };

  it("is held by one holder at a time, and is free for another after its release", async () => {
    const [first, second] = make();
    expect(await first.acquire()).toBe(true);
    expect(await second.acquire()).toBe(false);
    expect(await first.acquire()).toBe(true);
    await second.release();
    expect(await second.acquire()).toBe(false);
    await first.release();
    expect(await second.acquire()).toBe(true);
  });

  it("is acquired by one of many that try at once", async () => {
    const store = makeStore();
    const leases = Array.from({ length: 10 }, () => createLease({ store, durationMs: LONG_MS }));
    const acquired = await Promise.all(leases.map((lease) => lease.acquire()));
    expect(acquired.filter(Boolean)).toHaveLength(1);
  });

  it("is free again when its holder has died", async () => {
    // Long enough that a slow store does not let it expire between the two calls.
    const [dead, heir] = make(2_000);
    expect(await dead.acquire()).toBe(true);
    expect(await heir.acquire()).toBe(false);
    await vi.waitFor(async () => expect(await heir.acquire()).toBe(true), { timeout: 5_000, interval: 20 });
  });

  it("outlasts its duration while a task runs under it, and is released afterwards", async () => {
    const [first, second] = make(SHORT_MS);
    expect(await first.acquire()).toBe(true);
    const isFree = await first.runHeld(async (lost) => {
      await wait(4 * SHORT_MS);
      return (await second.acquire()) || lost.aborted;
    });
    expect(isFree).toBe(false);
    expect(await second.acquire()).toBe(true);
  });

  it("aborts the task of a holder who has lost it, and stays with the new one", async () => {
    const store = makeStore();
    const first = createLease({ store, durationMs: SHORT_MS });
    const second = createLease({ store, durationMs: LONG_MS });
    expect(await first.acquire()).toBe(true);
    await first.runHeld(async (lost) => {
      await store.release(first.holder);
      expect(await second.acquire()).toBe(true);
      await vi.waitFor(() => expect(lost.aborted).toBe(true), { timeout: 5_000, interval: 5 });
    });
    expect(await first.acquire()).toBe(false);
  });
});

describe("a lease", () => {
  it("aborts its task when it cannot be renewed until it expires, since another may have it then", async () => {
    const down = () => Promise.reject(new Error("down"));
    const store = { acquire: () => Promise.resolve(true), renew: down, release: down };
    const lease = createLease({ store, durationMs: SHORT_MS });
    await lease.acquire();
    await lease.runHeld(async (lost) => {
      expect(lost.aborted).toBe(false);
      await vi.waitFor(() => expect(lost.aborted).toBe(true), { timeout: 5_000, interval: 5 });
    });
  });

  it("can be held only while the document is in the lease's state", async () => {
    const id = `run-${++names}`;
    const store = createMongoLeaseStore({ collection: runs(), id, ...FIELDS, heldWhile: { isRunning: true } });
    const lease = createLease({ store, durationMs: LONG_MS });
    expect(await lease.acquire()).toBe(false);
    expect(await runs().findOne({ _id: id })).toBeNull();
    await runs().insertOne({ _id: id, isRunning: true });
    expect(await lease.acquire()).toBe(true);
    await runs().updateOne({ _id: id }, { $set: { isRunning: false } });
    expect(await store.renew(lease.holder, LONG_MS)).toBe(false);
  });
});
