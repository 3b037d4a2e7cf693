import { randomInt } from "node:crypto";
import { connect, createServer } from "node:net";

/**
 * Where free ports are looked for: below those that systems give to outgoing connections (32768 and up on Linux), one of which could
 * have the port by the time somebody listens there.
 */
const PORTS_FROM = 20_000;
const PORTS_TO = 32_768;
const TRIES_MAX = 1_000;
const given = new Set<number>();

/** Answers a TCP port of this machine that nobody listens on; never the same one twice, and rarely one that another process was told. */
export async function freePort(host = "127.0.0.1"): Promise<number> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const port = randomInt(PORTS_FROM, PORTS_TO);
    if (given.has(port) || !(await isPortFree(port, host))) continue;
    given.add(port);
    return port;
  }
  throw new Error(`no free port from ${PORTS_FROM} to ${PORTS_TO} on ${host}`);
}

/** Answers that many different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

/** True when this process could listen there now. */
export async function isPortFree(port: number, host = "127.0.0.1"): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** Opens a connection, sends `say` and answers the first bytes that come back; undefined when nobody answers in time. */
export async function askPort(target: {
  host: string;
  port: number;
  say?: string;
  timeoutMs?: number;
}): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: target.host, port: target.port });
    const finish = (answer: string | undefined): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.setTimeout(target.timeoutMs ?? 1_500, () => finish(undefined));
    socket.once("error", () => finish(undefined));
    socket.once("close", () => finish(undefined));
    socket.once("data", (bytes) => finish(bytes.toString("utf8")));
    if (target.say !== undefined) socket.write(target.say);
  });
}

/** True when somebody accepts connections there. */
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
