import { type WorkStream, getWorkStream } from "@turnpike/shared/events/work-stream";

/**
 * Long enough for a batch between two progress signals, short enough that a killed replica's messages are soon
 * redelivered to another.
 */
const ACK_WAIT_MS = 10_000;
const ACK_PENDING_MAX = 20_000;

/**
 * The stream of usage records and billing's consumer. Records stay on disk until they are posted, however long that takes: when the disk
 * is full, new records are rejected and relays keep theirs.
 */
export const getUsageStream = (namespace: string): WorkStream =>
  getWorkStream(namespace, {
    stream: "USAGE",
    consumer: "billing",
    subjects: ["usage.>"],
    ackWaitMs: ACK_WAIT_MS,
    ackPendingMax: ACK_PENDING_MAX,
  });
