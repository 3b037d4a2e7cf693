import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "@turnpike/shared/log/log";

/** Logs a call once it is over, at debug alone: its id, its path without the query, which may hold a key, and how it ended. */
export function logCall(request: IncomingMessage, response: ServerResponse, call: { requestId: string; log: Logger }) {
  const { requestId, log } = call;
  if (!log.isLevelEnabled("debug")) return;
  const startedAtMs = performance.now();
  const [path = "/"] = (request.url ?? "/").split("?", 1);
  response.once("close", () => {
    const durationMs = Math.round(performance.now() - startedAtMs);
    const ending = response.writableFinished ? {} : { isCut: true };
    log.debug({ requestId, method: request.method, path, status: response.statusCode, durationMs, ...ending }, "call");
  });
}
