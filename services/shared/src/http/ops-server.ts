import { createServer } from "node:http";
import type { Logger } from "../log/log.ts";
import { registry } from "../telemetry/metrics.ts";

/** Named checks that decide readiness; each must settle by itself within a second or two. */
export type ReadinessChecks = Readonly<Record<string, () => boolean | Promise<boolean>>>;

const CHECK_TIMEOUT_MS = 2_000;
/** Longer than any interval between two scrapes: a scraper never meets a connection that is being closed. */
const KEEP_ALIVE_MS = 65_000;

async function runCheck(check: () => boolean | Promise<boolean>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  try {
    return await Promise.race([Promise.resolve(check()), late]);
  } catch {
    return false;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Serves `/metrics`, `/live` (200 while the event loop runs) and `/ready` (200 when every check passes, else 503 with
 * the failed ones) on a separate port, so that load on the data path cannot fail them.
 */
export async function startOpsServer(deps: { host: string; port: number; log: Logger; checks: ReadinessChecks }) {
  let draining = false;
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, (request, response) => {
    const respond = (code: number, body: string, type = "application/json"): void => {
      response.writeHead(code, { "content-type": type }).end(body);
    };
    const handle = async (): Promise<void> => {
      if (request.url === "/live") return respond(200, `{"live":true}`);
      if (request.url === "/metrics") return respond(200, await registry.metrics(), registry.contentType);
      if (request.url !== "/ready") return respond(404, `{"error":"not found"}`);
      const entries = await Promise.all(
        Object.entries(deps.checks).map(async ([name, check]) => [name, await runCheck(check)] as const),
      );
      const ready = !draining && entries.every(([, passed]) => passed);
      respond(ready ? 200 : 503, JSON.stringify({ ready, draining, checks: Object.fromEntries(entries) }));
    };
    handle().catch((error: unknown) => {
      deps.log.error({ err: error }, "ops server request failed");
      respond(500, `{"error":"internal"}`);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(deps.port, deps.host, resolve);
  });
  return {
    /** Makes `/ready` return 503 from now on: the first step of a stop. */
    drain: (): void => {
      draining = true;
    },
    stop: (): void => {
      server.closeAllConnections();
      server.close();
    },
  };
}
