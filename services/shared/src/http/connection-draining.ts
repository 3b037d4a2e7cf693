import type { Server } from "node:http";
import { Server as PlainServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** Installs that are given less time than this to stop are on one machine, where nobody balances connections. */
const GRACE_MIN_SECONDS = 15;
const TIMES = { acceptMs: 3_000, idleMs: 10_000 } as const;
const STEP_MS = 50;

/** Node gives a kept connection a timeout while it waits for the next request and takes it away during one. */
const isIdle = (socket: Socket): boolean => (socket.timeout ?? 0) > 0 || socket.bytesRead === 0;

export type ConnectionDrain = ReturnType<typeof createConnectionDrain>;

/**
 * How an HTTP server stops without a failed call: its callers keep connections, and one that is closed while a request is on its
 * way is a failed call. So each answer says that its connection ends, and a connection whose last answer could not say so any more
 * (a stream that ran already) is closed only after some idle seconds. Make it before the server listens.
 */
export function createConnectionDrain(
  server: Server,
  { acceptMs, idleMs }: { acceptMs: number; idleMs: number } = TIMES,
) {
  const sockets = new Set<Socket>();
  let isGraceful = false;
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });

  const closeNow = async (isBusy: () => boolean): Promise<void> => {
    server.close();
    for (;;) {
      // A kept connection turns idle when its last answer is out.
      server.closeIdleConnections();
      if (!isBusy()) return;
      await wait(STEP_MS);
    }
  };
  const closeGracefully = async (isBusy: () => boolean): Promise<void> => {
    // The HTTP server's own close would also cut every connection that is idle at this moment.
    PlainServer.prototype.close.call(server);
    let leftMs = idleMs + server.keepAliveTimeoutBuffer;
    while (isBusy() || (sockets.size > 0 && leftMs > 0)) {
      await wait(STEP_MS);
      if (!isBusy()) leftMs -= STEP_MS;
    }
    server.closeAllConnections();
  };

  return {
    /** The first step of a stop: still takes new connections for some seconds, and ends sooner when nobody is left. */
    async begin(graceSeconds: number): Promise<void> {
      if (graceSeconds < GRACE_MIN_SECONDS) return;
      isGraceful = true;
      server.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
      server.keepAliveTimeout = idleMs;
      for (const socket of sockets) if (isIdle(socket)) socket.setTimeout(idleMs);
      const untilMs = Date.now() + acceptMs;
      while (Date.now() < untilMs && sockets.size > 0) await wait(STEP_MS);
    },
    /** The second: takes no new connections, and resolves when nothing is busy any more and the callers have left. */
    waitUntilClosed: (isBusy: () => boolean = () => sockets.size > 0): Promise<void> =>
      isGraceful ? closeGracefully(isBusy) : closeNow(isBusy),
  };
}
