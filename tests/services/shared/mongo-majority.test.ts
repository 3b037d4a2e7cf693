import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connectMongo, inTransaction } from "@turnpike/shared/mongo/mongo";
import type { Connection, mongo } from "mongoose";
import { afterAll, beforeAll, expect, it } from "vitest";
import { openMongo } from "../../../scripts/backing/mongodb-replica-set.ts";
import { type ReplicaSet, startReplicaSet } from "../../lib/backing/replicated-mongodb.ts";
import { killRunning, type StoreProcess } from "../../lib/backing/store-process.ts";

type CreditDoc = { _id: string };

const folder = mkdtempSync(join(tmpdir(), "turnpike-majority-"));
let set: ReplicaSet;
let connection: Connection;

beforeAll(async () => {
  set = await startReplicaSet(folder);
  connection = await connectMongo(set.url);
  await connection.collection<CreditDoc>("credits").insertOne({ _id: "before" });
}, 240_000);
afterAll(async () => {
  await connection?.close();
  killRunning();
  rmSync(folder, { recursive: true, force: true });
});

const has = async (credits: mongo.Collection<CreditDoc>, _id: string): Promise<boolean> =>
  (await credits.findOne({ _id })) !== null;

/** What one member has, acknowledged by a majority or not. */
async function onMember<Result>(member: StoreProcess, run: (credits: mongo.Collection<CreditDoc>) => Promise<Result>) {
  const client = await openMongo(`mongodb://${member.address}/?directConnection=true`, 10_000);
  try {
    const options = { readConcern: { level: "local" }, writeConcern: { w: 1 } } as const;
    return await run(client.db("turnpike").collection<CreditDoc>("credits", options));
  } finally {
    await client.close();
  }
}

it("neither reads nor acknowledges what a primary that is cut off would roll back", async () => {
  const credits = connection.collection<CreditDoc>("credits") as mongo.Collection<CreditDoc>;
  const primary = await set.findPrimary();
  const others = set.members.filter((member) => member !== primary);
  for (const member of others) member.suspend();

  await onMember(primary, (own) => own.insertOne({ _id: "lost" }));
  expect(await onMember(primary, (own) => has(own, "lost"))).toBe(true);
  expect(await has(credits, "lost")).toBe(false);
  expect(await has(credits, "before")).toBe(true);
  let isAcknowledged = false;
  const posting = inTransaction(connection, (session) => credits.insertOne({ _id: "posted" }, { session })).then(
    () => (isAcknowledged = true),
    () => false,
  );
  await expect.poll(() => onMember(primary, (own) => has(own, "posted"))).toBe(true);
  expect(isAcknowledged).toBe(false);

  primary.suspend();
  for (const member of others) member.resume();
  await set.findPrimary(others);
  primary.resume();
  const wasAcknowledged = await posting;
  await expect.poll(() => has(credits, "before").catch(() => undefined), { timeout: 60_000 }).toBe(true);
  // What the suspended members had in their sockets reaches them late, so the writes of the cut-off primary may survive. Either way all
  // members agree, and what was acknowledged is there.
  const read = (own: mongo.Collection<CreditDoc>) =>
    Promise.all(["before", "lost", "posted"].map((_id) => has(own, _id)));
  const readAll = () => Promise.all(set.members.map((member) => onMember(member, read)));
  await expect
    .poll(async () => new Set((await readAll()).map(String)).size, { timeout: 60_000, interval: 500 })
    .toBe(1);
  const [[hasBefore, , hasPosted] = []] = await readAll();
  expect(hasBefore).toBe(true);
  expect({ wasAcknowledged, hasPosted }).not.toEqual({ wasAcknowledged: true, hasPosted: false });
}, 240_000);

it("acknowledges nothing that a primary cannot replicate although it serves its clients", async () => {
  const credits = connection.collection<CreditDoc>("credits") as mongo.Collection<CreditDoc>;
  const primary = await set.findPrimary();
  const others = set.members.filter((member) => member !== primary);
  set.setUnreplicated(primary, true);
  await onMember(primary, (own) => own.insertOne({ _id: "unreplicated" }));
  let isAcknowledged = false;
  const posting = inTransaction(connection, (session) => credits.insertOne({ _id: "waits" }, { session })).then(
    () => (isAcknowledged = true),
    () => false,
  );
  await expect.poll(() => onMember(primary, (own) => has(own, "waits"))).toBe(true);
  expect(isAcknowledged).toBe(false);
  expect(await has(credits, "unreplicated")).toBe(false);

  // The others elect one of themselves; the old primary learns of it and rolls back.
  await set.findPrimary(others);
  set.setUnreplicated(primary, false);
  const wasAcknowledged = await posting;
  await expect.poll(() => has(credits, "before").catch(() => undefined), { timeout: 60_000 }).toBe(true);
  expect(await has(credits, "unreplicated")).toBe(false);
  expect(await has(credits, "waits")).toBe(wasAcknowledged);
}, 240_000);
