import { setTimeout as wait } from "node:timers/promises";
import {
  AckPolicy,
  type ConsumerMessages,
  DeliverPolicy,
  DiscardPolicy,
  type JsMsg,
  jetstream,
  JetStreamApiError,
  type JetStreamManager,
  jetstreamManager,
  RetentionPolicy,
  StorageType,
} from "@nats-io/jetstream";
import { decodeEvent, type NatsConnection, getSubject } from "@turnpike/shared/events/bus";
import type { EventType } from "@turnpike/shared/events/define-event";
import type { Logger } from "@turnpike/shared/log/log";
import type { z } from "zod";

/** One kind of event and what is done with it. */
export type Subscription = { readonly subject: string; readonly handle: (text: string) => Promise<void> };

export const subscription = <Data extends z.ZodType>(
  event: EventType<Data>,
  run: (data: z.output<Data>) => Promise<void>,
): Subscription => ({ subject: event.subject, handle: (text) => run(decodeEvent(event, text).data) });

const CONSUMER = "messaging";
const REQUEST_TIMEOUT_MS = 3_000;
const PULL_EXPIRES_MS = 10_000;
const RETRY_MS = 500;
const REDELIVER_MS = 5_000;
const DELIVERIES_MAX = 100;
/** A notification older than a day is obsolete. */
const KEPT_MS = 86_400_000;
const MESSAGES_MAX = 100_000;
const nanos = (ms: number): number => ms * 1_000_000;

const isMissing = (error: unknown): boolean => error instanceof JetStreamApiError && error.status === 404;

async function ensureStream(manager: JetStreamManager, stream: string, subjects: string[]): Promise<void> {
  const settings = { subjects, max_age: nanos(KEPT_MS), max_msgs: MESSAGES_MAX, discard: DiscardPolicy.Old };
  try {
    await manager.streams.update(stream, settings);
  } catch (error) {
    if (!isMissing(error)) throw error;
    await manager.streams.add({
      name: stream,
      ...settings,
      retention: RetentionPolicy.Limits,
      storage: StorageType.File,
    });
  }
  await manager.consumers.add(stream, {
    durable_name: CONSUMER,
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.All,
    ack_wait: nanos(30_000),
    max_deliver: DELIVERIES_MAX,
  });
}

/**
 * Takes events that people are told of from a stream which keeps them while messaging is away: other services only publish them.
 * Each is handled by one replica, and again later when that fails. Runs through outages of NATS.
 */
export function createNoticeStream(deps: {
  nats: NatsConnection;
  namespace: string;
  subscriptions: readonly Subscription[];
  log: Logger;
}) {
  const { nats, namespace, log } = deps;
  const stream = namespace === "" ? "NOTICES" : `NOTICES_${namespace}`;
  const handlers = new Map(
    deps.subscriptions.map(({ subject, handle }) => [getSubject(namespace, subject), handle] as const),
  );
  const stopping = new AbortController();
  let isFailing = false;
  let current: ConsumerMessages | undefined;
  let loop: Promise<void> | undefined;

  const handle = async (message: JsMsg): Promise<void> => {
    try {
      await handlers.get(message.subject)?.(message.string());
      message.ack();
    } catch (error) {
      log.warn({ err: error, subject: message.subject }, "event could not be handled, will be redelivered");
      message.nak(REDELIVER_MS);
    }
  };
  const consume = async (): Promise<void> => {
    const manager = await jetstreamManager(nats, { timeout: REQUEST_TIMEOUT_MS, checkAPI: false });
    await ensureStream(manager, stream, [...handlers.keys()]);
    const consumer = await jetstream(nats).consumers.get(stream, CONSUMER);
    current = await consumer.consume({ max_messages: 50, expires: PULL_EXPIRES_MS, abort_on_missing_resource: true });
    if (stopping.signal.aborted) current.stop();
    isFailing = false;
    for await (const message of current) await handle(message);
  };
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        await consume();
      } catch (error) {
        // Logs once per outage, not once per attempt.
        if (!isFailing) log.warn({ err: error }, "notification stream unavailable, retrying");
        isFailing = true;
      }
      await wait(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => undefined);
    }
  };
  return {
    start(): void {
      loop ??= run();
    },
    /** Takes no more and finishes the event in hand. */
    async stop(): Promise<void> {
      stopping.abort();
      current?.stop();
      await loop;
    },
  };
}
