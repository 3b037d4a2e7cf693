import { type BackgroundLoop, createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import type { Logger } from "@turnpike/shared/log/log";
import type { Connection } from "mongoose";
import { QUERY_TIMEOUT_MS } from "../store/query.ts";

/** MongoDB accepts no longer name. */
const APP_NAME_BYTES_MAX = 128;

/**
 * The name under which MongoDB lists the connections and open transactions of an install's billing. It contains the database, since
 * other installs may use the same server.
 */
export function getMongoAppName(url: string): string {
  const database = /^[^/]+\/\/[^/]+\/([^?]*)/.exec(url)?.[1] ?? "";
  return Buffer.from(`turnpike-billing ${database}`).subarray(0, APP_NAME_BYTES_MAX).toString();
}

const EVERY_MS = 1_000;
/** No live process leaves a transaction idle for this long; one that did restarts it. */
const IDLE_MAX_MS = 3_000;

type IdleSession = { readonly lsid: { readonly id: unknown } };

/**
 * Aborts transactions that a killed replica left open: MongoDB keeps their documents locked for a minute, which would
 * block posting to the same accounts and channels. Every replica checks, and only this install's own transactions.
 */
export function createOrphanTransactions(deps: { connection: Connection; log: Logger }): BackgroundLoop {
  const { connection, log } = deps;
  const endOrphans = async (): Promise<void> => {
    const client = connection.getClient();
    const admin = client.db("admin");
    const idle = await admin
      .aggregate<IdleSession>(
        [
          { $currentOp: { allUsers: false, idleSessions: true } },
          {
            $match: {
              type: "idleSession",
              appName: client.options.appName,
              "transaction.timeInactiveMicros": { $gt: IDLE_MAX_MS * 1_000 },
            },
          },
          { $project: { lsid: 1 } },
        ],
        { maxTimeMS: QUERY_TIMEOUT_MS, readConcern: { level: "local" } },
      )
      .toArray();
    if (idle.length === 0) return;
    await admin.command({ killSessions: idle.map(({ lsid }) => ({ id: lsid.id })) }, { timeoutMS: QUERY_TIMEOUT_MS });
    log.warn({ transactions: idle.length }, "orphaned transactions aborted");
  };
  // It fails while MongoDB is down, or when its user lacks the privilege: MongoDB's own limit of a minute then ends them.
  return createBackgroundLoop({ task: "orphaned transactions", run: endOrphans, everyMs: EVERY_MS, log });
}
