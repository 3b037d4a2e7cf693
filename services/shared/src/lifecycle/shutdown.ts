import type { Logger } from "../log/log.ts";

type Step = { readonly name: string; readonly run: () => unknown };

/**
 * Runs the steps in order on SIGTERM or SIGINT, then exits 0; after the grace period exits 1. An unexpected error
 * anywhere in the process is logged and ends it with 1; a supervisor restarts it.
 */
export function onShutdown(deps: { log: Logger; graceSeconds: number }, steps: readonly Step[]): void {
  let stopping = false;
  const stop = async (reason: string, exitCode: number): Promise<void> => {
    if (stopping) return;
    stopping = true;
    deps.log.info({ reason }, "stopping");
    setTimeout(() => {
      deps.log.error("shutdown timed out");
      process.exit(1);
    }, deps.graceSeconds * 1000).unref();
    for (const step of steps) {
      try {
        await step.run();
      } catch (error) {
        deps.log.warn({ err: error, step: step.name }, "shutdown step failed");
      }
    }
    process.exit(exitCode);
  };
  process.once("SIGTERM", () => void stop("SIGTERM", 0));
  process.once("SIGINT", () => void stop("SIGINT", 0));
  process.on("unhandledRejection", (error) => {
    deps.log.fatal({ err: error }, "unhandled rejection");
    void stop("unhandled rejection", 1);
  });
  process.on("uncaughtException", (error) => {
    deps.log.fatal({ err: error }, "uncaught exception");
    void stop("uncaught exception", 1);
  });
}
