import type { IncomingMessage, ServerResponse } from "node:http";
import type { RequestFacts } from "./request-facts.ts";

/**
 * Logs a request once it is over: calls of the console's API at info, files and passed-through calls at debug. Neither bodies nor
 * query strings, which hold keys that people search for.
 */
export function logRequest(request: IncomingMessage, response: ServerResponse, facts: RequestFacts): void {
  const startedAtMs = performance.now();
  const [path = "/"] = (request.url ?? "/").split("?", 1);
  response.once("close", () => {
    const line = {
      method: request.method,
      path,
      status: response.statusCode,
      durationMs: Math.round(performance.now() - startedAtMs),
      address: facts.address,
      ...(response.writableFinished ? {} : { isCut: true }),
    };
    if (path.startsWith("/api/")) facts.log.info(line, "request");
    else facts.log.debug(line, "request");
  });
}
