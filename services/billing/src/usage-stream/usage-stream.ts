import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import { type NatsConnection, getSubject } from "@turnpike/shared/events/bus";

/** Names of the usage stream and of billing's consumer; installs that share a server have their own. */
export type UsageStreamNames = { readonly stream: string; readonly consumer: string; readonly subjects: string };

export const usageStreamNames = (namespace: string): UsageStreamNames => ({
  stream: namespace === "" ? "USAGE" : `USAGE_${namespace}`,
  consumer: "billing",
  subjects: getSubject(namespace, "usage.>"),
});

/**
 * Long enough for a batch between two progress signals, short enough that a killed replica's messages are soon
 * redelivered to another.
 */
const ACK_WAIT_MS = 10_000;
const DUPLICATE_WINDOW_MS = 120_000;
const ACK_PENDING_MAX = 20_000;
const REQUEST_TIMEOUT_MS = 3_000;

/** JetStream counts in nanoseconds. */
const nanos = (ms: number): number => ms * 1_000_000;

/** The JetStream API; every call returns or fails in bounded time. */
export const usageStreamManager = (nats: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(nats, { timeout: REQUEST_TIMEOUT_MS, checkAPI: false });

/** JetStream's info on a stream or a consumer; undefined when it does not exist. */
export async function undefinedIfMissing<Value>(asked: Promise<Value>): Promise<Value | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === 404) return undefined;
    throw error;
  }
}

/**
 * Creates or updates the stream and the durable consumer. Records stay on disk until they are posted, however long that
 * takes: when the disk is full, new records are rejected and relays keep theirs, rather than the oldest being dropped.
 */
export async function ensureUsageStream(manager: JetStreamManager, names: UsageStreamNames): Promise<void> {
  const { stream, consumer, subjects } = names;
  const changeable = {
    subjects: [subjects],
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    discard: DiscardPolicy.New,
  };
  const known = await undefinedIfMissing(manager.streams.update(stream, changeable));
  if (!known)
    await manager.streams.add({
      name: stream,
      ...changeable,
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
    });
  await manager.consumers.add(stream, {
    durable_name: consumer,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    max_ack_pending: ACK_PENDING_MAX,
    max_deliver: -1,
  });
}
