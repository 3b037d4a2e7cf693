import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "@turnpike/shared/log/log";
import { getRequestContext } from "./request-context.ts";

/**
 * Logs a completed request: calls of the console's API at info, files and passed-through calls at debug. Omits bodies
 * and query strings, which may contain keys.
 */
export function logRequest(request: IncomingMessage, response: ServerResponse, log: Logger): void {
  const [path = "/"] = (request.url ?? "/").split("?", 1);
  const level = path.startsWith("/api/") ? "info" : "debug";
  if (!log.isLevelEnabled(level)) return;
  const startedAtMs = performance.now();
  response.once("close", () => {
    const { requestId, address } = getRequestContext(request);
    const line = {
      requestId,
      method: request.method,
      path,
      status: response.statusCode,
      durationMs: Math.round(performance.now() - startedAtMs),
      address,
      ...(response.writableFinished ? {} : { isCut: true }),
    };
    log[level](line, "request");
  });
}
