import type { ClientSession, Connection } from "mongoose";
import { auditRecorded } from "../events/auth.ts";
import type { NatsConnection } from "../events/bus.ts";
import { createWorkPublisher } from "../events/work-stream.ts";
import type { Actor } from "../grpc/context.ts";
import { newRequestId } from "../telemetry/request-id.ts";
import type { Logger } from "../log/log.ts";
import { createOutbox } from "../outbox/outbox.ts";
import { createOutboxStore, type OutboxRow } from "../outbox/outbox-store.ts";
import { auditStream } from "./audit-stream.ts";

/** An administrator's action; before and after are JSON without secrets, "" for none. */
export type AuditAction = {
  readonly action: string;
  readonly target: string;
  readonly before: string;
  readonly after: string;
};
type OutboxDoc = AuditAction &
  OutboxRow & {
    /** Sorts by age; the deduplication id. */
    readonly _id: string;
    readonly actorId: number;
    readonly actorName: string;
    readonly address: string;
    readonly atSeconds: number;
  };
export type AuditOutbox = ReturnType<typeof createAuditOutbox>;

const CONCURRENCY_MAX = 16;

/**
 * Stores the audit rows of a service other than auth until the stream to auth accepts them. A row is written into the
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
  const work = auditStream(namespace);
  const publish = createWorkPublisher({ nats, namespace, source, event: auditRecorded, work });
  const store = createOutboxStore({ collection: mongo.collection<OutboxDoc>("audit_outbox") });
  const outbox = createOutbox({
    name: "audit rows",
    store,
    deliver: ({ _id: id, ...action }) => publish(action, id),
    concurrencyMax: CONCURRENCY_MAX,
    log,
  });
  const toDoc = (actor: Actor, action: AuditAction): Omit<OutboxDoc, "attempts"> => ({
    _id: newRequestId(),
    ...action,
    actorId: actor.userId,
    actorName: actor.username,
    address: actor.address,
    atSeconds: Math.floor(Date.now() / 1000),
  });
  return {
    /** Stores a row in the transaction of its change; `sendSoon` after the commit, or the loop, sends it. */
    recordWithin: (session: ClientSession, actor: Actor, action: AuditAction): Promise<void> =>
      store.add([toDoc(actor, action)], session),
    /** The same for a change of many things at once. */
    recordAllWithin: (session: ClientSession, actor: Actor, actions: readonly AuditAction[]): Promise<void> =>
      store.add(
        actions.map((action) => toDoc(actor, action)),
        session,
      ),
    /**
     * Stores a row of a committed change. Never throws because the change is final: a row that cannot be stored is
     * logged.
     */
    async record(actor: Actor, action: AuditAction): Promise<void> {
      const doc = toDoc(actor, action);
      try {
        await store.add([doc]);
        outbox.wake();
      } catch (error) {
        log.error({ err: error, audit: doc }, "audit row could not be stored, logged in full");
      }
    },
    /** Sends pending rows in the background. */
    sendSoon: outbox.wake,
    /** Sends rows left by an earlier process or by a failure, until stopped. */
    start(): void {
      store
        .createIndex()
        .catch((error: unknown) => log.warn({ err: error }, "index of audit rows could not be created"));
      outbox.start();
    },
    stop: outbox.stop,
  };
}
