import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { jetstreamManager } from "@nats-io/jetstream";
import { connect } from "@nats-io/transport-node";
import { findBinary } from "./store-binaries.ts";
import { freePorts } from "../../../scripts/process/ports.ts";
import { createStoreProcess, type StoreProcess } from "./store-process.ts";

const USER = "turnpike";
const PASSWORD = "nats-secret";
const READY_TIMEOUT_MS = 30_000;

/** A NATS cluster of three with JetStream, with a user and password. */
export async function startNatsCluster(folder: string) {
  const ports = await freePorts(6);
  const [clients, routes] = [ports.slice(0, 3), ports.slice(3)];
  const binary = findBinary("nats-server");
  const servers = clients.map((port, index) => {
    const name = `nats-${index}`;
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const config = [
      `server_name: ${name}`,
      `listen: "127.0.0.1:${port}"`,
      `jetstream { store_dir: "${own}" }`,
      `accounts { SYS { users: [{ user: sys, password: ${PASSWORD} }] }`,
      `  APP { jetstream: enabled, users: [{ user: ${USER}, password: ${PASSWORD} }] } }`,
      "system_account: SYS",
      `cluster { name: turnpike, listen: "127.0.0.1:${routes[index] ?? 0}"`,
      `  routes: [${routes.map((route) => `"nats://127.0.0.1:${route}"`).join(", ")}] }`,
    ];
    writeFileSync(join(own, "nats.conf"), `${config.join("\n")}\n`);
    return createStoreProcess({ name, command: binary, args: ["-c", join(own, "nats.conf")], port, folder: own });
  });
  await Promise.all(servers.map((server) => server.start()));
  const addresses = servers.map(({ address }) => address);
  const open = () => connect({ servers: addresses, user: USER, pass: PASSWORD, timeout: 2_000 });
  const giveUpAt = Date.now() + READY_TIMEOUT_MS;
  const isReady = async (): Promise<boolean> => {
    const nats = await open();
    try {
      await (await jetstreamManager(nats, { timeout: 2_000 })).getAccountInfo();
      return true;
    } finally {
      await nats.close();
    }
  };
  while (!(await isReady().catch(() => false))) {
    if (Date.now() > giveUpAt) throw new Error("the NATS cluster elects no leader");
    await new Promise((done) => setTimeout(done, 200));
  }
  return {
    url: `nats://${USER}:${PASSWORD}@${addresses.join(",")}`,
    servers,
    /** The server that leads a stream. */
    async findLeader(stream: string): Promise<StoreProcess> {
      const nats = await open();
      try {
        const info = await (await jetstreamManager(nats)).streams.info(stream);
        const found = servers.find(({ name }) => name === info.cluster?.leader);
        if (!found) throw new Error(`the stream ${stream} has no leader`);
        return found;
      } finally {
        await nats.close();
      }
    },
    stop: () => Promise.all(servers.map((server) => server.kill())),
  };
}
