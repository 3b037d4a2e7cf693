import type { Actor } from "../grpc/context.ts";
import type { AuditOutbox } from "./audit-outbox.ts";

/** An administrator's action; before and after are plain values without secrets. */
type AuditFacts = {
  readonly action: string;
  readonly target: string;
  readonly before?: unknown;
  readonly after?: unknown;
};

export type RecordAudit = ReturnType<typeof createAuditRecorder>;

const toText = (value: unknown): string => (value === undefined ? "" : JSON.stringify(value));

/**
 * Records administrators' actions with their values as JSON. Never throws, because the recorded change is already
 * committed.
 */
export function createAuditRecorder(outbox: Pick<AuditOutbox, "record">) {
  return function recordAudit(actor: Actor, { action, target, before, after }: AuditFacts): Promise<void> {
    return outbox.record(actor, { action, target, before: toText(before), after: toText(after) });
  };
}
