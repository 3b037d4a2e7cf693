import type { Logger } from "@turnpike/shared/log/log";
import type { Connection } from "mongoose";
import { QUERY_TIMEOUT_MS } from "../store/query.ts";

/** By this name MongoDB lists billing's connections, and what they have begun and not ended. */
export const MONGO_APP_NAME = "turnpike-billing";

const EVERY_MS = 1_000;
/** No living process leaves a transaction alone for so long; one that did anyway begins it anew. */
const IDLE_MAX_MS = 3_000;

type IdleSession = { readonly lsid: { readonly id: unknown } };

/**
 * Ends transactions that a killed replica left open: MongoDB keeps what they wrote locked for a minute, and nothing of the same
 * accounts and channels could be booked meanwhile. Every replica looks, and only at billing's own transactions.
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
    log.warn({ transactions: idle.length }, "ended transactions that a killed replica had left open");
  };
  const look = async (): Promise<void> => {
    try {
      await endOrphans();
      isFailing = false;
    } catch (error) {
      // MongoDB is away, or its user may not ask: then its own limit of a minute ends them.
      if (!isFailing) log.warn({ err: error }, "transactions left open cannot be looked for");
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
