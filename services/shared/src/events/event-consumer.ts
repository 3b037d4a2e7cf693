import type { z } from "zod";
import { getBackoffMs } from "../concurrency/retry.ts";
import type { Logger } from "../log/log.ts";
import { decodeEvent, getSubject, type NatsConnection } from "./bus.ts";
import type { EventType } from "./define-event.ts";
import { createWorkConsumer, type WorkConsumer, type WorkMessage } from "./work-consumer.ts";
import type { WorkStream } from "./work-stream.ts";

/** A kind of event and its processing. */
export type EventHandler = {
  readonly subject: string;
  /** Decodes an event; throws when it is not of its shape. The returned function processes it. */
  readonly read: (text: string) => () => Promise<void>;
};

const REDELIVERY = { firstMs: 2_000, maxMs: 10_000 };

/** Processes one kind of event. Redelivery may repeat an event: `id` identifies it. */
export const onEvent = <Data extends z.ZodType>(
  event: EventType<Data>,
  handle: (data: z.output<Data>, id: string) => Promise<void>,
): EventHandler => ({
  subject: event.subject,
  read: (text) => {
    const { id, data } = decodeEvent(event, text);
    return () => handle(data, id);
  },
});

/**
 * Processes the events of a work stream one after another, each on one replica, with redelivery after a failure. An event that cannot be
 * parsed is logged and dropped, since a retry cannot help.
 */
export function createEventConsumer(deps: {
  nats: NatsConnection;
  namespace: string;
  work: WorkStream;
  handlers: readonly EventHandler[];
  log: Logger;
}): WorkConsumer {
  const { nats, namespace, work, log } = deps;
  const handlers = new Map(deps.handlers.map((handler) => [getSubject(namespace, handler.subject), handler] as const));

  const read = (message: WorkMessage): (() => Promise<void>) | undefined => {
    try {
      const handler = handlers.get(message.subject);
      if (!handler) throw new Error("no handler for this subject");
      return handler.read(message.text());
    } catch (error) {
      log.error({ err: error, subject: message.subject }, "event invalid, dropped");
      message.drop();
      return undefined;
    }
  };
  const add = async (message: WorkMessage): Promise<void> => {
    const handle = read(message);
    if (!handle) return;
    try {
      await handle();
      message.ack();
    } catch (error) {
      log.warn({ err: error, subject: message.subject }, "event could not be handled, will be redelivered");
      message.retryAfter(getBackoffMs(REDELIVERY, message.deliveries));
    }
  };
  const finish = (): Promise<void> => Promise.resolve();
  return createWorkConsumer({ nats, work, open: () => ({ add, finish }), log });
}
