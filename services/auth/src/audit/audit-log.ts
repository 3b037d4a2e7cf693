import type { auditRecorded } from "@turnpike/shared/events/auth";
import type { Actor } from "@turnpike/shared/grpc/context";
import type { ClientSession } from "mongoose";
import type { z } from "zod";
import type { AuditStore } from "./audit-store.ts";

/** One of our own admin actions; before and after are JSON without secrets, "" for none. */
export type AuditAction = {
  readonly actor: Actor;
  readonly action: string;
  readonly target: string;
  readonly before: string;
  readonly after: string;
};
export type AuditLog = ReturnType<typeof createAuditLog>;

/** Keeps the rows of admin actions: our own with the change they tell of, other services' as they come by the stream. */
export function createAuditLog(deps: { store: AuditStore; nowSeconds: () => number }) {
  const { store, nowSeconds } = deps;
  return {
    /** Writes our own row in the transaction of the change. */
    record({ actor, ...action }: AuditAction, session: ClientSession): Promise<void> {
      const who = { actorId: actor.userId, actorName: actor.username, address: actor.address };
      return store.insert({ ...action, ...who, createdAtSeconds: nowSeconds() }, session);
    },
    /** Writes the row another service sent; a repeat changes nothing. */
    keep({ atSeconds, ...rest }: z.output<(typeof auditRecorded)["data"]>, sourceId: string): Promise<void> {
      return store.insertOnce({ ...rest, createdAtSeconds: atSeconds, sourceId });
    },
    list: store.list,
  };
}
