import { join } from "node:path";
import { findBinary } from "./store-binaries.ts";
import { openMongo } from "../../../scripts/backing/mongodb-replica-set.ts";
import { freePorts } from "../../../scripts/process/ports.ts";
import { startTcpProxy } from "../network/tcp-proxy.ts";
import { createStoreProcess, type StoreProcess } from "./store-process.ts";

const SET_NAME = "rs0";
const CALL_TIMEOUT_MS = 5_000;
const ELECTION_TIMEOUT_MS = 30_000;
const pause = (ms: number): Promise<void> => new Promise((done) => setTimeout(done, ms));

/** The reply of one member to a command; undefined if it does not respond. */
async function send(member: StoreProcess, command: object): Promise<Record<string, unknown> | undefined> {
  const client = await openMongo(`mongodb://${member.address}/?directConnection=true`, CALL_TIMEOUT_MS).catch(
    () => undefined,
  );
  try {
    return await client?.db("admin").command({ ...command });
  } catch {
    return undefined;
  } finally {
    await client?.close();
  }
}

/** The handshake of a connection between members, which clients do not send. */
const isBetweenMembers = (firstBytes: Buffer): boolean => firstBytes.includes("internalClient");

/**
 * A MongoDB replica set of three. Members and clients reach each member through a proxy of its own, which can refuse what
 * other members send.
 */
export async function startReplicaSet(folder: string) {
  const binary = findBinary("mongod");
  const members = (await freePorts(3)).map((port, index) => {
    const own = join(folder, `mongo-${index}`);
    const args = ["--dbpath", own, "--bind_ip", "127.0.0.1", "--port", String(port), "--replSet", SET_NAME];
    const sizes = ["--oplogSize", "256", "--wiredTigerCacheSizeGB", "0.25", "--quiet", "--nounixsocket"];
    return createStoreProcess({
      name: `mongo-${index}`,
      command: binary,
      args: [...args, ...sizes],
      port,
      folder: own,
    });
  });
  await Promise.all(members.map((member) => member.start()));
  const [first] = members as [StoreProcess];
  const proxies = await Promise.all(
    members.map(({ port }) => startTcpProxy({ host: "127.0.0.1", port, isCut: isBetweenMembers })),
  );
  const addresses = proxies.map(({ port }) => `127.0.0.1:${port}`);
  const config = { _id: SET_NAME, members: addresses.map((host, _id) => ({ _id, host })) };
  await send(first, { replSetInitiate: config });
  /** The member that accepts writes, among those that respond. */
  const findPrimary = async (among = members): Promise<StoreProcess> => {
    const giveUpAt = Date.now() + ELECTION_TIMEOUT_MS;
    while (Date.now() < giveUpAt) {
      for (const member of among) if ((await send(member, { hello: 1 }))?.["isWritablePrimary"] === true) return member;
      await pause(200);
    }
    throw new Error("the replica set elects no primary");
  };
  await findPrimary();
  return {
    url: `mongodb://${addresses.join(",")}/turnpike?replicaSet=${SET_NAME}`,
    members,
    findPrimary,
    /**
     * Cuts a member off from what the others send, or ends this. Members pull what they replicate, so that a primary still
     * serves its clients and nothing of it is replicated.
     */
    setUnreplicated: (member: StoreProcess, isCut: boolean): void => proxies[members.indexOf(member)]?.setCut(isCut),
    async stop(): Promise<void> {
      await Promise.all(members.map((member) => member.kill()));
      for (const proxy of proxies) proxy.stop();
    },
  };
}
export type ReplicaSet = Awaited<ReturnType<typeof startReplicaSet>>;
