import type { Logger } from "@turnpike/shared/log/log";
import type { Exchange } from "../../core/call/exchange.ts";

/**
 * Logs a finished call at debug level: its id, its path without the query (which may contain a key), and the outcome.
 */
export function logCall(
  log: Logger,
  { requestId, response }: Pick<Exchange, "requestId" | "response">,
  method: string | undefined,
  path: string,
): void {
  if (!log.isLevelEnabled("debug")) return;
  const startedAtMs = performance.now();
  response.once("close", () => {
    const durationMs = Math.round(performance.now() - startedAtMs);
    const ending = response.writableFinished ? {} : { isCut: true };
    log.debug({ requestId, method, path, status: response.statusCode, durationMs, ...ending }, "call finished");
  });
}
