import type { Server } from "node:http";
import { Server as PlainServer, type Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";

/** Installs with a shorter grace period run on one machine, without load balancing. */
const GRACE_MIN_SECONDS = 15;
const TIMES = { acceptMs: 3_000, idleMs: 10_000 } as const;
const STEP_MS = 50;

/** Node sets a timeout on an idle keep-alive connection and removes it during a request. */
const isIdle = (socket: Socket): boolean => (socket.timeout ?? 0) > 0 || socket.bytesRead === 0;

export type ConnectionDrain = ReturnType<typeof createConnectionDrain>;

/**
 * Drains an HTTP server without failed calls: clients keep connections open, and closing one while a request is in
 * flight fails that call. Each response therefore announces the end of its connection; a connection whose last response
 * could not announce it (an already active stream) is closed after some idle seconds. Create it before the server
 * listens.
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
      // A keep-alive connection becomes idle when its last response is sent.
      server.closeIdleConnections();
      if (!isBusy()) return;
      await wait(STEP_MS);
    }
  };
  const closeGracefully = async (isBusy: () => boolean): Promise<void> => {
    // The HTTP server's own close would also close every connection that is idle at this moment.
    PlainServer.prototype.close.call(server);
    let leftMs = idleMs + server.keepAliveTimeoutBuffer;
    while (isBusy() || (sockets.size > 0 && leftMs > 0)) {
      await wait(STEP_MS);
      if (!isBusy()) leftMs -= STEP_MS;
    }
    server.closeAllConnections();
  };

  return {
    /** First step of a stop: accepts new connections for some more seconds, and ends sooner when no client is left. */
    async begin(graceSeconds: number): Promise<void> {
      if (graceSeconds < GRACE_MIN_SECONDS) return;
      isGraceful = true;
      server.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
      server.keepAliveTimeout = idleMs;
      for (const socket of sockets) if (isIdle(socket)) socket.setTimeout(idleMs);
      const untilMs = Date.now() + acceptMs;
      while (Date.now() < untilMs && sockets.size > 0) await wait(STEP_MS);
    },
    /**
     * Second step: accepts no new connections, and resolves when nothing is active and the clients have disconnected.
     */
    waitUntilClosed: (isBusy: () => boolean = () => sockets.size > 0): Promise<void> =>
      isGraceful ? closeGracefully(isBusy) : closeNow(isBusy),
  };
}
