import { createLogger } from "@turnpike/shared/log/log";
import { connectMongo, inTransaction } from "@turnpike/shared/mongo/mongo";
import { createOutbox } from "@turnpike/shared/outbox/outbox";
import { createOutboxStore, type OutboxRow, toDateField } from "@turnpike/shared/outbox/outbox-store";
import type { Connection, mongo as driver } from "mongoose";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";

const log = createLogger("outbox-test", "silent");
const SOON = { timeout: 10_000, interval: 10 };
const LEASE_MS = 10_000;

type Parcel = OutboxRow & { readonly _id: string; readonly weight: number; readonly status?: string };

let mongo: Connection;
let collection: driver.Collection<Parcel>;
beforeAll(async () => {
  mongo = await connectMongo(testBacking().mongodbUrl);
  collection = mongo.collection<Parcel>("parcels");
});
beforeEach(async () => void (await collection.deleteMany({})));
afterAll(() => mongo.close());

const parcel = (id: string, weight = 1) => ({ _id: id, weight });

describe("an outbox", () => {
  it("delivers each row once on several replicas, and removes it", async () => {
    const store = createOutboxStore({ collection });
    const seen: string[] = [];
    const replicas = [1, 2, 3].map(() =>
      createOutbox({ name: "parcels", store, deliver: async ({ _id }) => void seen.push(_id), log }),
    );
    const ids = Array.from({ length: 40 }, (_, index) => `p${index}`);
    await store.add(ids.map((id) => parcel(id)));
    for (const replica of replicas) replica.start();
    await vi.waitFor(async () => expect(await collection.countDocuments()).toBe(0), SOON);
    expect(seen.toSorted()).toEqual(ids.toSorted());
    for (const replica of replicas) await replica.stop();
  });

  it("delivers rows that were added in a transaction, and none of one that failed", async () => {
    const store = createOutboxStore({ collection });
    const seen: string[] = [];
    const outbox = createOutbox({ name: "parcels", store, deliver: async ({ _id }) => void seen.push(_id), log });
    await inTransaction(mongo, (session) => store.add([parcel("kept")], session));
    const failed = inTransaction(mongo, async (session) => {
      await store.add([parcel("lost")], session);
      throw new Error("the change failed");
    });
    await expect(failed).rejects.toThrow("the change failed");
    outbox.start();
    await vi.waitFor(() => expect(seen).toEqual(["kept"]), SOON);
    await outbox.stop();
  });

  it("retries until the recipient responds, then delivers all that waited", async () => {
    const store = createOutboxStore({ collection });
    let isDown = true;
    let attempts = 0;
    const deliver = async (): Promise<void> => {
      attempts++;
      if (isDown) throw new Error("down");
    };
    const outbox = createOutbox({ name: "parcels", store, deliver, log });
    await store.add(Array.from({ length: 50 }, (_, index) => parcel(`p${index}`)));
    outbox.start();
    await vi.waitFor(() => expect(attempts).toBeGreaterThan(5), SOON);
    // While the recipient is down, not every row is tried.
    expect(attempts).toBeLessThan(40);
    expect(await collection.countDocuments()).toBe(50);
    isDown = false;
    await vi.waitFor(async () => expect(await collection.countDocuments()).toBe(0), SOON);
    await outbox.stop();
  });

  it("tries one row at once and leaves its failure to the loop", async () => {
    const store = createOutboxStore({ collection });
    let failures = 1;
    const seen: string[] = [];
    const deliver = async ({ _id }: Parcel): Promise<void> => {
      if (failures-- > 0) throw new Error("down");
      seen.push(_id);
    };
    const outbox = createOutbox({ name: "parcels", store, deliver, log });
    await store.add([parcel("a")]);
    await outbox.deliverNow("a");
    expect(seen).toEqual([]);
    await outbox.deliverNow("no such row");
    outbox.start();
    await vi.waitFor(() => expect(seen).toEqual(["a"]), SOON);
    await outbox.stop();
  });

  it("delivers rows of an earlier version, which have no time at which they are due", async () => {
    await collection.insertOne({ _id: "old", weight: 1 } as Parcel);
    const seen: string[] = [];
    const store = createOutboxStore({ collection });
    const outbox = createOutbox({ name: "parcels", store, deliver: async ({ _id }) => void seen.push(_id), log });
    outbox.start();
    await vi.waitFor(() => expect(seen).toEqual(["old"]), SOON);
    await outbox.stop();
  });
});

describe("a row of an outbox", () => {
  it("is claimed by another replica once the lease has expired, and not before", async () => {
    let now = 1_000_000;
    const store = createOutboxStore({ collection, nowMs: () => now });
    await store.add([parcel("a")]);
    expect(await store.claim(LEASE_MS)).toMatchObject({ _id: "a", attempts: 1 });
    expect(await store.claim(LEASE_MS)).toBeUndefined();
    now += LEASE_MS;
    expect(await store.claim(LEASE_MS)).toMatchObject({ _id: "a", attempts: 2 });
  });

  it("cannot be changed by a replica whose lease has passed to another", async () => {
    let now = 1_000_000;
    const store = createOutboxStore({ collection, nowMs: () => now });
    await store.add([parcel("a")]);
    const first = (await store.claim(LEASE_MS)) as Parcel;
    now += LEASE_MS;
    const second = (await store.claim(LEASE_MS)) as Parcel;
    await store.remove(first);
    await store.postpone(first, 0);
    await store.settle(first, { $set: { status: "sent" } });
    expect(await collection.findOne()).toMatchObject({ attempts: 2, weight: 1, nextAttemptAtMs: now + LEASE_MS });
    await store.remove(second);
    expect(await collection.countDocuments()).toBe(0);
  });

  it("stays in the collection after delivery where only waiting rows are selected, with dates", async () => {
    const store = createOutboxStore<Parcel>({ collection, waiting: { status: "queued" }, due: toDateField("dueAt") });
    await collection.insertMany([
      { _id: "later", weight: 1, status: "queued", attempts: 0, dueAt: new Date(Date.now() + 60_000) },
      { _id: "now", weight: 1, status: "queued", attempts: 0, dueAt: new Date() },
    ] as unknown as Parcel[]);
    const row = (await store.claim(LEASE_MS)) as Parcel;
    expect(row._id).toBe("now");
    await store.settle(row, { $set: { status: "sent" } });
    expect(await store.claim(LEASE_MS)).toBeUndefined();
    expect(await collection.findOne({ _id: "now" })).toMatchObject({ status: "sent", attempts: 1 });
  });
});
