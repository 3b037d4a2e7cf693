import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Logger } from "@turnpike/shared/log/log";
import { ActiveList } from "@turnpike/shared/concurrency/active-list";

const SWEEP_MS = 1_000;

/** What libuv reports of a connection, which Node's own socket timeout reads too, and the response that it carries. */
type Internals = {
  readonly _handle?: { readonly bytesWritten: number; readonly writeQueueSize: number } | null;
  readonly _httpMessage?: ServerResponse | null;
};
/** How much a client had been sent when it last read something. */
type Stall = { readonly sentBytes: number; readonly sinceMs: number };

/** The bytes that the kernel has taken; 0 for a closed connection. */
function getSentBytes(socket: Socket): number {
  const { _handle: handle } = socket as Internals;
  return handle ? handle.bytesWritten - handle.writeQueueSize : 0;
}

/**
 * Disconnects clients that read nothing for too long although bytes wait for them. Their stream is paused, so that no time
 * limit of the upstream applies, and would keep its hold, slot and connections. Node's socket timeout does not serve: what a
 * client sends restarts it, and a response that is not ready yet would end. Connections of WebSockets count too.
 */
export function disconnectSlowReaders(server: Server, { limitMs, log }: { limitMs: number; log: Logger }): void {
  const connections = new ActiveList<Socket>();
  const stalls = new Map<Socket, Stall>();

  const look = (socket: Socket, nowMs: number): void => {
    if (socket.writableLength === 0) return void stalls.delete(socket);
    const sentBytes = getSentBytes(socket);
    const stall = stalls.get(socket);
    if (stall?.sentBytes !== sentBytes) return void stalls.set(socket, { sentBytes, sinceMs: nowMs });
    if (nowMs - stall.sinceMs < limitMs) return;
    const requestId = (socket as Internals)._httpMessage?.getHeader("x-request-id");
    log.info({ requestId }, "client read nothing for too long, disconnected");
    socket.destroy();
  };
  const sweep = (): void => {
    const nowMs = performance.now();
    for (const socket of connections.list()) look(socket, nowMs);
  };
  const timer = setInterval(sweep, Math.min(SWEEP_MS, limitMs / 4)).unref();
  server.on("connection", (socket: Socket) => {
    const place = connections.add(socket);
    socket.once("close", () => {
      connections.remove(place);
      stalls.delete(socket);
    });
  });
  server.once("close", () => clearInterval(timer));
}
