import type { Server } from "node:http";
import type { ConnectionDrain } from "@turnpike/shared/http/connection-draining";

/** Starts listening and answers the port; fails when the port is taken. */
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

/** The remaining grace period for the next steps. */
const CUT_BEFORE_END_MS = 1_000;

type Stop = {
  readonly server: Server;
  readonly graceSeconds: number;
  readonly connectionDrain: ConnectionDrain;
  readonly cutMore?: () => void;
};

/**
 * Drains connections: asks clients to disconnect, accepts no more and lets active calls finish; those still active at
 * the end of the grace period are cut, by `cutMore` too.
 */
export async function stopServing({ server, graceSeconds, connectionDrain, cutMore }: Stop): Promise<void> {
  const cutAll = (): void => {
    server.closeAllConnections();
    cutMore?.();
  };
  const cut = setTimeout(cutAll, Math.max(0, graceSeconds * 1000 - CUT_BEFORE_END_MS));
  await connectionDrain.begin(graceSeconds);
  await connectionDrain.waitUntilClosed();
  clearTimeout(cut);
}
