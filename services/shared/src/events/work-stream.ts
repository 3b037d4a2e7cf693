import {
  AckPolicy,
  type ConsumerUpdateConfig,
  DeliverPolicy,
  DiscardPolicy,
  JetStreamApiError,
  jetstream,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
  type StreamUpdateConfig,
} from "@nats-io/jetstream";
import type { MsgHdrs } from "@nats-io/transport-node";
import type { z } from "zod";
import { readConfig } from "../config/read-config.ts";
import { NatsConfig } from "./nats-options.ts";
import { encodeEvent, type NatsConnection, getSubject } from "./bus.ts";
import type { EventType } from "./define-event.ts";

/** A JetStream stream and the one durable consumer that handles what it holds. */
export type WorkStream = {
  readonly stream: string;
  readonly consumer: string;
  readonly subjects: readonly string[];
  /** The stream drops what is older, and the oldest above the number. Absent: it keeps everything until it is handled. */
  readonly retention?: { readonly ageMs: number; readonly messagesMax: number };
  /** How long a message may be in progress without a sign of life before another replica receives it; 30 seconds when absent. */
  readonly ackWaitMs?: number;
  /** How many messages may be in progress on all replicas; JetStream's default when absent. */
  readonly ackPendingMax?: number;
  /** How often a message is delivered before it is given up; unlimited when absent. */
  readonly deliveriesMax?: number;
};

const TIMEOUT_MS = 3_000;
const ACK_WAIT_MS = 30_000;
const DUPLICATE_WINDOW_MS = 120_000;

/** JetStream counts in nanoseconds. */
const toNanos = (ms: number): number => ms * 1_000_000;

/** A work stream with its names as on the server; installs that share a server have their own. */
export const getWorkStream = (namespace: string, stream: WorkStream): WorkStream => ({
  ...stream,
  stream: namespace === "" ? stream.stream : `${stream.stream}_${namespace}`,
  subjects: stream.subjects.map((subject) => getSubject(namespace, subject)),
});

/** The JetStream API; every call returns or fails in bounded time. */
export const getStreamManager = (nats: NatsConnection): Promise<JetStreamManager> =>
  jetstreamManager(nats, { timeout: TIMEOUT_MS, checkAPI: false });

/** JetStream's info on a stream or a consumer; undefined when it does not exist. */
export async function undefinedIfMissing<Value>(found: Promise<Value>): Promise<Value | undefined> {
  try {
    return await found;
  } catch (error) {
    if (error instanceof JetStreamApiError && error.status === 404) return undefined;
    throw error;
  }
}

async function ensureStream(manager: JetStreamManager, { stream, subjects, retention }: WorkStream): Promise<void> {
  const changeable: Partial<StreamUpdateConfig> = {
    subjects: [...subjects],
    duplicate_window: toNanos(DUPLICATE_WINDOW_MS),
    num_replicas: readConfig(NatsConfig).NATS_REPLICAS,
    // Without a limit, publishers keep their messages when the disk is full, rather than the oldest being dropped.
    ...(retention
      ? { max_age: toNanos(retention.ageMs), max_msgs: retention.messagesMax, discard: DiscardPolicy.Old }
      : { discard: DiscardPolicy.New }),
  };
  if (await undefinedIfMissing(manager.streams.update(stream, changeable))) return;
  await manager.streams.add({
    name: stream,
    ...changeable,
    retention: retention ? RetentionPolicy.Limits : RetentionPolicy.Workqueue,
    storage: StorageType.File,
  });
}

/** Servers since NATS 2.10 refuse to create a consumer that exists with other settings: it is updated first. */
async function ensureConsumer(manager: JetStreamManager, work: WorkStream): Promise<void> {
  const changeable: Partial<ConsumerUpdateConfig> = {
    ack_wait: toNanos(work.ackWaitMs ?? ACK_WAIT_MS),
    max_deliver: work.deliveriesMax ?? -1,
    ...(work.ackPendingMax === undefined ? {} : { max_ack_pending: work.ackPendingMax }),
  };
  const { stream, consumer } = work;
  if (await undefinedIfMissing(manager.consumers.update(stream, consumer, changeable))) return;
  await manager.consumers.add(stream, {
    durable_name: consumer,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ...changeable,
  });
}

/** Creates the stream and its consumer, or brings their settings up to date. Throws while NATS is down. */
export async function ensureWorkStream(nats: NatsConnection, work: WorkStream): Promise<void> {
  const manager = await getStreamManager(nats);
  await ensureStream(manager, work);
  await ensureConsumer(manager, work);
}

/** Publishes events to a work stream; each call throws when the stream has not confirmed in time. `id` identifies repeats. */
export function createWorkPublisher<Data extends z.ZodType>(deps: {
  nats: NatsConnection;
  namespace: string;
  source: string;
  event: EventType<Data>;
  work: WorkStream;
  /** The headers of a message with this payload. */
  createHeaders?: (payload: string) => MsgHdrs;
}) {
  const { nats, namespace, source, event, work, createHeaders } = deps;
  const client = jetstream(nats, { timeout: TIMEOUT_MS });
  let ensured: Promise<void> | undefined;
  return async function publish(data: z.input<Data>, id: string): Promise<void> {
    try {
      ensured ??= ensureWorkStream(nats, work);
      await ensured;
      const payload = encodeEvent(event, source, data, id);
      const headers = createHeaders && { headers: createHeaders(payload) };
      await client.publish(getSubject(namespace, event.subject), payload, { msgID: id, ...headers });
    } catch (error) {
      ensured = undefined;
      throw error;
    }
  };
}
