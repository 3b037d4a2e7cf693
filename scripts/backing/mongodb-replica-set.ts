import { setTimeout as sleep } from "node:timers/promises";
import { mongo } from "mongoose";

const SET_NAME = "rs0";
const BECOME_PRIMARY_TIMEOUT_MS = 30_000;
const NOT_YET_INITIALIZED = 94;

/** Opens a client whose waits all have a time limit. */
export async function openMongo(url: string, timeoutMs: number): Promise<mongo.MongoClient> {
  return new mongo.MongoClient(url, {
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
  }).connect();
}

/** Sets this address on the replica set's only member; the data folder keeps the address of its first start. */
async function setMember(admin: mongo.Db, host: string): Promise<void> {
  const members = [{ _id: 0, host }];
  try {
    const { config } = await admin.command({ replSetGetConfig: 1 });
    if (config.members[0]?.host === host) return;
    await admin.command({ replSetReconfig: { ...config, members, version: config.version + 1 }, force: true });
  } catch (error) {
    if (!(error instanceof mongo.MongoServerError) || error.code !== NOT_YET_INITIALIZED) throw error;
    await admin.command({ replSetInitiate: { _id: SET_NAME, members } });
  }
}

/**
 * Turns a mongod into the primary of a replica set with one member, named by the address at which the mongod reaches
 * itself. Settles when the primary accepts writes; throws if it does not within 30 s.
 */
export async function makePrimary(host: string, port: number, member = `${host}:${port}`): Promise<void> {
  const client = await openMongo(`mongodb://${host}:${port}/?directConnection=true`, 10_000);
  try {
    const admin = client.db("admin");
    await setMember(admin, member);
    const giveUpAt = Date.now() + BECOME_PRIMARY_TIMEOUT_MS;
    while ((await admin.command({ hello: 1 }))["isWritablePrimary"] !== true) {
      if (Date.now() > giveUpAt) throw new Error("no election within 30 s");
      await sleep(50);
    }
  } finally {
    await client.close();
  }
}
