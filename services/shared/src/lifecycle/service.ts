import { type ReadinessChecks, startOpsServer } from "../http/ops-server.ts";
import type { Logger } from "../log/log.ts";
import { onShutdown } from "./shutdown.ts";

/** A part of a running service: a loop, a server that already listens, a client or a connection. */
export type ServicePart = {
  readonly name: string;
  /** Begins its work; returns at once. */
  readonly start?: () => void;
  /** Ends its work; absent when nothing has to end. The next part is stopped when it has settled. */
  readonly stop?: () => unknown;
};

/**
 * Runs a service whose connections are open: starts its parts, serves its readiness and metrics, and stops the parts in the order of the
 * list when the process receives the signal to end. Callers and loops are listed before the connections that they use. The ops server stops last, so
 * that a draining service can be observed.
 */
export async function startService(deps: {
  config: { readonly HOST: string; readonly OPS_PORT: number; readonly SHUTDOWN_GRACE_SECONDS: number };
  log: Logger;
  /** Decide readiness. */
  checks: ReadinessChecks;
  parts: readonly ServicePart[];
  /** Fields of the log line of the start, such as the port. */
  facts: Readonly<Record<string, string | number>>;
}): Promise<void> {
  const { config, log, checks, parts, facts } = deps;
  for (const part of parts) part.start?.();
  const ops = await startOpsServer({ host: config.HOST, port: config.OPS_PORT, log, checks });
  log.info(facts, "service started");
  onShutdown({ log, graceSeconds: config.SHUTDOWN_GRACE_SECONDS }, [
    { name: "drain", run: ops.drain },
    ...parts.map(({ name, stop }) => ({ name, run: () => stop?.() })),
    { name: "ops", run: ops.stop },
  ]);
}
