import { setTimeout as wait } from "node:timers/promises";
import type { ClientSession, Connection, mongo as driver } from "mongoose";
import { auditRecorded } from "../events/auth.ts";
import type { NatsConnection } from "../events/bus.ts";
import { createWorkPublisher } from "../events/work-stream.ts";
import type { Actor } from "../grpc/context.ts";
import { newRequestId } from "../telemetry/request-id.ts";
import type { Logger } from "../log/log.ts";
import { auditStream } from "./audit-stream.ts";

/** An admin's action; before and after are JSON without secrets, "" for none. */
export type AuditAction = {
  readonly action: string;
  readonly target: string;
  readonly before: string;
  readonly after: string;
};
type OutboxDoc = AuditAction & {
  /** Sorts by age, and tells repeats. */
  readonly _id: string;
  readonly actorId: number;
  readonly actorName: string;
  readonly address: string;
  readonly atSeconds: number;
};
export type AuditOutbox = ReturnType<typeof createAuditOutbox>;

const BATCH_MAX = 100;
const POLL_MS = 1_000;
const QUERY_TIMEOUT_MS = 3_000;

/**
 * Stores the audit rows of a service other than auth until the stream to auth has them. A row is written into the
 * service's own database, with a session in the transaction of the change, so none is lost while NATS or auth is down,
 * or when the process dies; auth stores each once, however often it is delivered.
 */
export function createAuditOutbox(deps: {
  mongo: Connection;
  nats: NatsConnection;
  namespace: string;
  source: string;
  log: Logger;
}) {
  const { mongo, nats, namespace, source, log } = deps;
  const names = auditStream(namespace);
  const publish = createWorkPublisher({ nats, namespace, source, event: auditRecorded, names });
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;
  let running: Promise<void> | undefined;
  let isAskedAgain = false;
  let isFailing = false;

  const rows = (): driver.Collection<OutboxDoc> => mongo.collection<OutboxDoc>("audit_outbox");
  const sendBatch = async (): Promise<number> => {
    const batch = await rows()
      .find({}, { sort: { _id: 1 }, limit: BATCH_MAX, maxTimeMS: QUERY_TIMEOUT_MS })
      .toArray();
    if (batch.length === 0) return 0;
    // Rows confirmed before a failed one are sent again, and deduplicated by id.
    await Promise.all(batch.map(({ _id: id, ...action }) => publish(action, id)));
    await rows().deleteMany({ _id: { $in: batch.map(({ _id: id }) => id) } });
    return batch.length;
  };
  const sendAll = async (): Promise<void> => {
    try {
      do isAskedAgain = false;
      while ((await sendBatch()) === BATCH_MAX || isAskedAgain);
      if (isFailing) log.info("audit rows delivered again");
      isFailing = false;
    } catch (error) {
      // Logs once per outage, not once per attempt.
      if (!isFailing && !stopping.signal.aborted)
        log.warn({ err: error }, "audit rows could not be delivered, will be retried");
      isFailing = true;
    }
  };
  const send = (): Promise<void> => {
    isAskedAgain = true;
    running ??= sendAll().finally(() => {
      running = undefined;
    });
    return running;
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      await send();
      await wait(POLL_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  const toDoc = (actor: Actor, action: AuditAction): OutboxDoc => ({
    _id: newRequestId(),
    ...action,
    actorId: actor.userId,
    actorName: actor.username,
    address: actor.address,
    atSeconds: Math.floor(Date.now() / 1000),
  });
  return {
    /** Stores a row in the transaction of its change; `sendSoon` after the commit, or the loop, sends it. */
    async recordWithin(session: ClientSession, actor: Actor, action: AuditAction): Promise<void> {
      await rows().insertOne(toDoc(actor, action), { session });
    },
    /** The same for a change of many things at once. */
    async recordAllWithin(session: ClientSession, actor: Actor, actions: readonly AuditAction[]): Promise<void> {
      if (actions.length === 0) return;
      const docs = actions.map((action) => toDoc(actor, action));
      await rows().insertMany(docs, { session });
    },
    /**
     * Stores a row of a committed change. Never throws because the change is final: a row that cannot be stored is
     * logged.
     */
    async record(actor: Actor, action: AuditAction): Promise<void> {
      const doc = toDoc(actor, action);
      try {
        await rows().insertOne(doc);
        void send();
      } catch (error) {
        log.error({ err: error, audit: doc }, "audit row could not be stored, logged in full");
      }
    },
    /** Sends on what waits, in the background. */
    sendSoon: (): void => void send(),
    /** Sends on what an earlier process left, and what a failure kept, until stopped. */
    start(): void {
      loop ??= run();
    },
    /** Ends the loop and what is being sent. */
    async stop(): Promise<void> {
      stopping.abort();
      await loop;
      await running;
    },
  };
}
