import {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  jetstream,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import type { z } from "zod";
import { encodeEvent, type NatsConnection, getSubject } from "./bus.ts";
import type { EventType } from "./define-event.ts";

/** A stream that keeps events on disk until their one consumer has handled them. */
export type WorkStream = { readonly stream: string; readonly consumer: string; readonly subjects: readonly string[] };

const TIMEOUT_MS = 3_000;
const ACK_WAIT_MS = 30_000;
const DUPLICATE_WINDOW_MS = 120_000;

/** JetStream counts in nanoseconds. */
const nanos = (ms: number): number => ms * 1_000_000;
const isMissing = (error: unknown): boolean => error instanceof JetStreamApiError && error.status === 404;

/** The names of a stream for some events; installs that share a server have their own. */
export const getWorkStream = (
  namespace: string,
  about: { stream: string; consumer: string; events: readonly EventType[] },
): WorkStream => ({
  stream: namespace === "" ? about.stream : `${about.stream}_${namespace}`,
  consumer: about.consumer,
  subjects: about.events.map(({ subject }) => getSubject(namespace, subject)),
});

async function ensureStream(manager: JetStreamManager, { stream, subjects }: WorkStream): Promise<void> {
  const changeable = {
    subjects: [...subjects],
    duplicate_window: nanos(DUPLICATE_WINDOW_MS),
    // When the disk is full, publishers keep their events rather than the oldest being dropped.
    discard: DiscardPolicy.New,
  };
  try {
    await manager.streams.update(stream, changeable);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await manager.streams.add({
      name: stream,
      ...changeable,
      retention: RetentionPolicy.Workqueue,
      storage: StorageType.File,
    });
  }
}

/** Makes the stream and its consumer, or brings them up to date; whoever comes first does it. Throws while NATS is away. */
export async function ensureWorkStream(nats: NatsConnection, names: WorkStream): Promise<void> {
  const manager = await jetstreamManager(nats, { timeout: TIMEOUT_MS, checkAPI: false });
  await ensureStream(manager, names);
  await manager.consumers.add(names.stream, {
    durable_name: names.consumer,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(ACK_WAIT_MS),
    max_deliver: -1,
  });
}

/** Puts events into a work stream; each call throws when the stream has not confirmed in time. `id` tells repeats. */
export function createWorkPublisher<Data extends z.ZodType>(deps: {
  nats: NatsConnection;
  namespace: string;
  source: string;
  event: EventType<Data>;
  names: WorkStream;
}) {
  const { nats, namespace, source, event, names } = deps;
  const client = jetstream(nats, { timeout: TIMEOUT_MS });
  let ensured: Promise<void> | undefined;
  return async function publish(data: z.input<Data>, id: string): Promise<void> {
    try {
      ensured ??= ensureWorkStream(nats, names);
      await ensured;
      await client.publish(getSubject(namespace, event.subject), encodeEvent(event, source, data, id), { msgID: id });
    } catch (error) {
      ensured = undefined;
      throw error;
    }
  };
}
