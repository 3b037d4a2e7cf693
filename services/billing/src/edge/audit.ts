import { auditRecorded } from "@turnpike/shared/events/auth";
import type { Bus } from "@turnpike/shared/events/bus";
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

/** Tells auth, who keeps the audit rows, what an admin did. */
export function createAudit(deps: { bus: Bus; nowSeconds: () => number }) {
  return function audit(actor: Actor, { action, target, before, after }: AuditAction): void {
    deps.bus.notify(auditRecorded, {
      actorId: actor.userId,
      actorName: actor.username,
      address: actor.address,
      action,
      target,
      before: textOf(before),
      after: textOf(after),
      atSeconds: deps.nowSeconds(),
    });
  };
}
