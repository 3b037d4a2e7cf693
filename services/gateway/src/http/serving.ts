import type { Server } from "node:http";

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

/** Takes no more connections and lets the calls that run finish; those still running after the grace period are cut, by `cutMore` too. */
export async function stopServing(server: Server, graceMs: number, cutMore?: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cutAll = (): void => {
    server.closeAllConnections();
    cutMore?.();
  };
  const cut = setTimeout(cutAll, Math.max(0, graceMs));
  await closed;
  clearTimeout(cut);
}
