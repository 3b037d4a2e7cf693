import type { Logger } from "@turnpike/shared/log/log";
import type { Connection } from "mongoose";
import { QUERY_TIMEOUT_MS } from "../store/query.ts";

/** The name under which MongoDB lists billing's connections and their open transactions. */
export const MONGO_APP_NAME = "turnpike-billing";

const EVERY_MS = 1_000;
/** No live process leaves a transaction idle for this long; one that did restarts it. */
const IDLE_MAX_MS = 3_000;

type IdleSession = { readonly lsid: { readonly id: unknown } };

/**
 * Aborts transactions that a killed replica left open: MongoDB keeps their documents locked for a minute, which would
 * block posting to the same accounts and channels. Every replica checks, and only billing's own transactions.
 */
export function createOrphanTransactions({ connection, log }: { connection: Connection; log: Logger }) {
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> | undefined;
  let isStopped = false;
  let isFailing = false;

  const endOrphans = async (): Promise<void> => {
    const admin = connection.getClient().db("admin");
    const idle = await admin
      .aggregate<IdleSession>(
        [
          { $currentOp: { allUsers: false, idleSessions: true } },
          {
            $match: {
              type: "idleSession",
              appName: MONGO_APP_NAME,
              "transaction.timeInactiveMicros": { $gt: IDLE_MAX_MS * 1_000 },
            },
          },
          { $project: { lsid: 1 } },
        ],
        { maxTimeMS: QUERY_TIMEOUT_MS },
      )
      .toArray();
    if (idle.length === 0) return;
    await admin.command({ killSessions: idle.map(({ lsid }) => ({ id: lsid.id })) }, { timeoutMS: QUERY_TIMEOUT_MS });
    log.warn({ transactions: idle.length }, "orphaned transactions aborted");
  };
  const look = async (): Promise<void> => {
    try {
      await endOrphans();
      isFailing = false;
    } catch (error) {
      // MongoDB is down, or its user lacks the privilege: its own limit of a minute then ends them.
      if (!isFailing) log.warn({ err: error }, "orphaned transactions could not be listed");
      isFailing = true;
    }
    if (!isStopped) timer = setTimeout(begin, EVERY_MS).unref();
  };
  const begin = (): void => {
    looking = look();
  };
  return {
    start: begin,
    async stop(): Promise<void> {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
