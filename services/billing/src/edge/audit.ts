import type { AuditOutbox } from "@turnpike/shared/audit/audit-outbox";
import type { Actor } from "@turnpike/shared/grpc/context";

/** What an admin did; before and after are plain facts without secrets. */
export type AuditAction = {
  readonly action: string;
  readonly target: string;
  readonly before?: unknown;
  readonly after?: unknown;
};

export type Audit = ReturnType<typeof createAudit>;

const textOf = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value));

/** Keeps what an admin did for auth, who has the audit rows. Never throws: the change it tells of stands. */
export function createAudit(outbox: Pick<AuditOutbox, "record">) {
  return function audit(actor: Actor, { action, target, before, after }: AuditAction): Promise<void> {
    return outbox.record(actor, { action, target, before: textOf(before), after: textOf(after) });
  };
}
