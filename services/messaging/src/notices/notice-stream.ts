import { type WorkStream, getWorkStream } from "@turnpike/shared/events/work-stream";

/** A notification older than a day is obsolete. */
const RETENTION_MS = 86_400_000;
const MESSAGES_MAX = 100_000;
/** About a quarter of an hour of redeliveries. */
const DELIVERIES_MAX = 100;

/**
 * The stream of events that users are notified of. It keeps them while messaging is down; other services publish them as notices and do
 * not know of it.
 */
export const getNoticeStream = (namespace: string, subjects: readonly string[]): WorkStream =>
  getWorkStream(namespace, {
    stream: "NOTICES",
    consumer: "messaging",
    subjects,
    retention: { ageMs: RETENTION_MS, messagesMax: MESSAGES_MAX },
    deliveriesMax: DELIVERIES_MAX,
  });
