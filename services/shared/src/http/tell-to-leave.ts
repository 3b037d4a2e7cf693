import type { Server } from "node:http";
import { setTimeout as wait } from "node:timers/promises";

/** Installs that are given less time than this to stop are on one machine, where nobody balances connections. */
const GRACE_MIN_SECONDS = 15;
const LINGER_MS = 3_000;
const STEP_MS = 50;

const connectionsOf = (server: Server): Promise<number> =>
  new Promise((resolve) => server.getConnections((error, count) => resolve(error ? 0 : count)));

/**
 * The first step of a stop: for some seconds each answer says that its connection ends, so that callers with kept connections go
 * elsewhere by themselves, before idle connections are closed under a request that is on its way. Ends as soon as nobody is left.
 */
export async function tellToLeave(server: Server, graceSeconds: number): Promise<void> {
  if (graceSeconds < GRACE_MIN_SECONDS) return;
  server.prependListener("request", (_request, response) => response.setHeader("connection", "close"));
  const untilMs = Date.now() + LINGER_MS;
  while (Date.now() < untilMs && (await connectionsOf(server)) > 0) await wait(STEP_MS);
}
