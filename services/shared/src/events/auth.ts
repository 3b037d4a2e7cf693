import { z } from "zod";
import { defineEvent } from "./define-event.ts";

/** A user's group, status, role or settings changed, or the user was deleted: invalidate cached data. */
export const userChanged = defineEvent("auth.user.changed.v1", z.object({ userId: z.number().int() }));

/** One or more options changed: fetch the snapshot again. */
export const optionsChanged = defineEvent(
  "auth.options.changed.v1",
  z.object({ revision: z.number().int(), keys: z.array(z.string()) }),
);

/**
 * An administrator's action. `before` and `after` are JSON without secrets. Sent by the audit outbox of every service,
 * stored by auth.
 */
export const auditRecorded = defineEvent(
  "audit.action.recorded.v1",
  z.object({
    actorId: z.number().int(),
    actorName: z.string(),
    action: z.string(),
    target: z.string(),
    before: z.string(),
    after: z.string(),
    address: z.string(),
    atSeconds: z.number().int(),
  }),
);
