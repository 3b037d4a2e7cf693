import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import type { Logger } from "@turnpike/shared/log/log";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import { RelayError } from "../../core/errors/relay-error.ts";
import type { FailureLog } from "../../pipeline/settle/failure-log.ts";
import { getPath } from "../server/request-url.ts";
import type { UpgradeRequest } from "./client-handshake.ts";
import { refuseUpgrade } from "./upgrade-refusal.ts";

type Deps = {
  /** What serves a path; undefined for paths without a WebSocket. */
  readonly find: (path: string) => ServeUpgrade | undefined;
  readonly clientAddress: (request: IncomingMessage) => string;
  readonly failures: FailureLog;
  readonly now: () => number;
  readonly log: Logger;
};

/** Serves one WebSocket to its end. Throws RelayError while a response with a status can be sent. */
export type ServeUpgrade = (upgrade: UpgradeRequest, requestId: string) => Promise<void>;

/** Handles upgrades to WebSockets; refusals are HTTP responses, and every other path is refused with 404. */
export function createUpgrades({ find, clientAddress, failures, now, log }: Deps) {
  return async function handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const requestId = newRequestId();
    const path = getPath(request);
    socket.on("error", () => socket.destroy());
    try {
      const serve = find(path);
      if (!serve) throw new RelayError("not_found", `Invalid URL (${request.method ?? ""} ${path})`);
      await serve({ request, socket, head }, requestId);
    } catch (error) {
      const [startedAtMs, address] = [now(), clientAddress(request)];
      failures.refused({ requestId, startedAtMs, address, admitted: undefined, call: undefined }, error);
      const known =
        error instanceof RelayError ? error : new RelayError("internal_error", "an internal error occurred");
      if (known !== error) log.error({ err: error, requestId }, "WebSocket failed unexpectedly");
      if (!socket.destroyed && socket.writable) refuseUpgrade(socket, known, requestId);
    }
  };
}
