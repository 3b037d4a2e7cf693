import type { auditRecorded } from "@turnpike/shared/events/auth";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { ClientSession } from "mongoose";
import type { z } from "zod";
import type { AuditStore } from "./audit-store.ts";

/** An admin action of this service; before and after are JSON without secrets, "" for none. */
export type AuditAction = {
  readonly actor: Actor;
  readonly action: string;
  readonly target: string;
  readonly before: string;
  readonly after: string;
};
export type AuditLog = ReturnType<typeof createAuditLog>;

/**
 * Stores admin actions: this service's own in the transaction of the change, other services' as they arrive on the
 * stream.
 */
export function createAuditLog(deps: { store: AuditStore; nowSeconds: () => number }) {
  const { store, nowSeconds } = deps;
  return {
    /** Writes an audit row of this service in the transaction of the change. */
    record({ actor, ...action }: AuditAction, session: ClientSession): Promise<void> {
      const who = { actorId: actor.userId, actorName: actor.username, address: actor.address };
      return store.insert({ ...action, ...who, createdAtSeconds: nowSeconds() }, session);
    },
    /** Writes a row that another service sent; a duplicate changes nothing. */
    store({ atSeconds, ...rest }: z.output<(typeof auditRecorded)["data"]>, sourceId: string): Promise<void> {
      return store.insertOnce({ ...rest, createdAtSeconds: atSeconds, sourceId });
    },
    list: store.list,
  };
}
