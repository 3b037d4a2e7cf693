import { createLogger } from "@turnpike/shared/log/log";
import { connectMongo } from "@turnpike/shared/mongo/mongo";
import { migrateModels } from "@turnpike/shared/migration/migrate-models";
import { withMigrationLease } from "@turnpike/shared/migration/migration-lease";
import { type Connection, mongo as driver, Schema } from "mongoose";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { testBacking } from "../../lib/backing/test-backing.ts";

const log = createLogger("test", "silent");
type LeaseDoc = { _id: string; holder: string; untilMs: number; done?: string[] };

describe("migration", () => {
  let mongo: Connection;
  beforeEach(async () => {
    mongo = await connectMongo(testBacking().mongodbUrl);
  });
  afterEach(() => mongo.close());
  const leases = () => mongo.collection<LeaseDoc>("migrations");

  it("creates the collections and indexes of the models, and a repeat changes nothing", async () => {
    const schema = new Schema({ name: String }, { autoIndex: false, collection: "things" });
    schema.index({ name: 1 }, { name: "by_name" });
    mongo.model("Thing", schema);
    await migrateModels(mongo, "test", log);
    await migrateModels(mongo, "test", log);
    const indexes = await mongo.collection("things").indexes();
    expect(indexes.map(({ name }) => name)).toEqual(["_id_", "by_name"]);
  });

  it("lets the service start while an index of a large collection cannot be built yet, and builds it later", async () => {
    const schema = new Schema({ name: String }, { autoIndex: false, collection: "things" });
    schema.index({ name: 1 }, { name: "by_name" });
    mongo.model("Thing", schema);
    const things = mongo.collection("things");
    await things.insertMany(Array.from({ length: 50_001 }, (_, index) => ({ name: `n${index}` })));
    // An index build waits for a transaction that has written here: this one stands for one that takes hours.
    const session = await mongo.startSession();
    session.startTransaction();
    await things.insertOne({ name: "in the way" }, { session });
    const names = async (): Promise<unknown[]> => (await things.indexes()).map(({ name }) => name);
    await migrateModels(mongo, "test", log);
    expect(await mongo.collection("migrations").findOne({ _id: "test" as never })).toMatchObject({ untilMs: 0 });
    await session.abortTransaction();
    await session.endSession();
    await expect.poll(names, { timeout: 30_000 }).toEqual(["_id_", "by_name"]);
  }, 60_000);

  it("is run by one process at a time", async () => {
    let running = 0;
    const most: number[] = [];
    const run = async (): Promise<void> => {
      most.push(++running);
      await leases().find().toArray();
      running--;
    };
    await Promise.all(Array.from({ length: 5 }, () => withMigrationLease(mongo, "test", run)));
    expect(most).toEqual([1, 1, 1, 1, 1]);
  });

  it("can be run by others after it failed, and after its process died", async () => {
    const broken = () => Promise.reject(new Error("broken"));
    await expect(withMigrationLease(mongo, "test", broken)).rejects.toThrow("broken");
    await withMigrationLease(mongo, "test", () => Promise.resolve());
    await leases().updateOne({ _id: "test" }, { $set: { holder: "dead", untilMs: Date.now() - 1 } });
    await withMigrationLease(mongo, "test", () => Promise.resolve());
    expect(await leases().findOne({ _id: "test" })).toMatchObject({ untilMs: 0 });
  });

  it("is repeated when MongoDB refuses one of its commands for a moment", async () => {
    let tries = 0;
    const busy = async (): Promise<void> => {
      if (++tries <= 2) throw new driver.MongoServerError({ code: 50, message: "operation exceeded time limit" });
    };
    await withMigrationLease(mongo, "test", busy);
    expect(tries).toBe(3);
  });

  it("is awaited if a job runs it, and recorded by its version", async () => {
    process.env["TURNPIKE_VERSION"] = "v2";
    try {
      process.env["MIGRATIONS"] = "wait";
      const order: string[] = [];
      const waiting = withMigrationLease(mongo, "test", () => Promise.reject(new Error("not here"))).then(() =>
        order.push("waited"),
      );
      process.env["MIGRATIONS"] = "start";
      await withMigrationLease(mongo, "test", async () => void order.push("migrated"));
      await waiting;
      expect(order).toEqual(["migrated", "waited"]);
      expect(await leases().findOne({ _id: "test" })).toMatchObject({ done: expect.arrayContaining(["v2"]) });
    } finally {
      delete process.env["MIGRATIONS"];
      delete process.env["TURNPIKE_VERSION"];
    }
  });
});
