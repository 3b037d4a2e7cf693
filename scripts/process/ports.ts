import { randomInt } from "node:crypto";
import { connect, createServer, type Server } from "node:net";

/**
 * Range in which free ports are searched: below the range for outgoing connections (32768 and up on Linux), one of
 * which could take the port before the child listens there.
 */
const PORTS_FROM = 20_000;
const BLOCK_PORTS = 64;
const BLOCKS = 199;
const TRIES_MAX = 1_000;

let block: number[] = [];

function listen(port: number, host: string): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen({ port, host, exclusive: true }, () => resolve(server));
  });
}

/**
 * Returns the ports of a block reserved by this process. A process reserves a block by listening on the block's first
 * port for as long as it runs. The port is passed to a child that listens there seconds later; two test runs that pick
 * from one pool would pick the same port.
 */
async function claimBlock(): Promise<number[]> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const first = PORTS_FROM + randomInt(BLOCKS) * BLOCK_PORTS;
    const claim = await listen(first, "127.0.0.1");
    if (!claim) continue;
    claim.on("connection", (socket) => socket.destroy());
    claim.unref();
    return Array.from({ length: BLOCK_PORTS - 1 }, (_, index) => first + 1 + index);
  }
  throw new Error(`no free ports from ${PORTS_FROM} on: each block of ${BLOCK_PORTS} is claimed`);
}

/**
 * Returns a TCP port of this machine that is not in use; never the same port twice, and no port given to another
 * process.
 */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (block.length === 0) block = await claimBlock();
    const port = block.shift();
    if (port !== undefined && (await isPortFree(port, host))) return port;
  }
  throw new Error(`no free port from ${PORTS_FROM} on at ${host}`);
}

/** Returns that many different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const ports: number[] = [];
  while (ports.length < count) ports.push(await freePort());
  return ports;
}

/** True if this process can listen there now. */
export async function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  const server = await listen(port, host);
  if (server) await new Promise((resolve) => server.close(resolve));
  return server !== undefined;
}

/** Opens a connection, sends `payload` and returns the first bytes received; undefined if there is no response in time. */
export async function requestPort(target: {
  host: string;
  port: number;
  payload?: string;
  timeoutMs?: number;
}): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: target.host, port: target.port });
    const finish = (response: string | undefined): void => {
      socket.destroy();
      resolve(response);
    };
    socket.setTimeout(target.timeoutMs ?? 1_500, () => finish(undefined));
    socket.once("error", () => finish(undefined));
    socket.once("close", () => finish(undefined));
    socket.once("data", (bytes) => finish(bytes.toString("utf8")));
    if (target.payload !== undefined) socket.write(target.payload);
  });
}

/** True if a server accepts connections there. */
export async function isPortOpen(host: string, port: number, timeoutMs = 1_500): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const finish = (open: boolean): void => {
      socket.destroy();
      resolve(open);
    };
    socket.setTimeout(timeoutMs, () => finish(false));
    socket.once("error", () => finish(false));
    socket.once("connect", () => finish(true));
  });
}
