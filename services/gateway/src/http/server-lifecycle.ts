import type { Server } from "node:http";
import type { ConnectionDrain } from "@turnpike/shared/http/connection-draining";

/** Starts listening and returns the port; fails when the port is in use. */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : port);
    });
  });
}

/** The relay, which may stop at the same time, ends its streams half a second earlier. */
const END_STREAMS_BEFORE_END_MS = 1_500;
const CUT_BEFORE_END_MS = 1_000;

type Stop = {
  readonly server: Server;
  readonly graceSeconds: number;
  readonly connectionDrain: ConnectionDrain;
  /** Ends streams with an error event, shortly before connections are closed. */
  readonly endStreams?: () => void;
  readonly cutMore?: () => void;
};

/**
 * Drains connections: requests clients to disconnect, accepts no new connections and lets active calls finish. At the end
 * of the grace period it ends streams, closes the remaining connections and calls `cutMore`.
 */
export async function stopServing(stop: Stop): Promise<void> {
  const { server, graceSeconds, connectionDrain, endStreams, cutMore } = stop;
  const cutAll = (): void => {
    server.closeAllConnections();
    cutMore?.();
  };
  const beforeEnd = (ms: number, run: () => void): NodeJS.Timeout =>
    setTimeout(run, Math.max(0, graceSeconds * 1000 - ms));
  const timers = [beforeEnd(END_STREAMS_BEFORE_END_MS, () => endStreams?.()), beforeEnd(CUT_BEFORE_END_MS, cutAll)];
  await connectionDrain.begin(graceSeconds);
  await connectionDrain.waitUntilClosed();
  timers.forEach(clearTimeout);
}
