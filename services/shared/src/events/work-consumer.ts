import { setTimeout as wait } from "node:timers/promises";
import { type ConsumerMessages, type JsMsg, jetstream } from "@nats-io/jetstream";
import type { z } from "zod";
import type { Logger } from "../log/log.ts";
import { decodeEvent, type NatsConnection } from "./bus.ts";
import type { EventType } from "./define-event.ts";
import { ensureWorkStream, type WorkStream } from "./work-stream.ts";

const MESSAGES_AHEAD_MAX = 50;
const PULL_EXPIRES_MS = 10_000;
const RETRY_MS = 500;
const REDELIVER_MS = 2_000;

/**
 * Handles the events of a work stream, each on one replica, in sequence, with redelivery after a failure. Survives NATS
 * outages. An event that cannot be parsed is logged and dropped, since it never will be.
 */
export function createWorkConsumer<Data extends z.ZodType>(deps: {
  nats: NatsConnection;
  names: WorkStream;
  event: EventType<Data>;
  handle: (data: z.output<Data>, id: string) => Promise<void>;
  log: Logger;
}) {
  const { nats, names, event, log } = deps;
  const stopping = new AbortController();
  let isFailing = false;
  let current: ConsumerMessages | undefined;
  let loop: Promise<void> | undefined;

  const read = (message: JsMsg): { id: string; data: z.output<Data> } | undefined => {
    try {
      return decodeEvent(event, message.string());
    } catch (error) {
      log.error({ err: error, subject: message.subject }, "event cannot be parsed, dropped");
      message.term("unreadable");
      return undefined;
    }
  };
  const handle = async (message: JsMsg): Promise<void> => {
    const found = read(message);
    if (!found) return;
    try {
      await deps.handle(found.data, found.id);
      message.ack();
    } catch (error) {
      log.warn({ err: error, subject: message.subject }, "event could not be handled, will be redelivered");
      message.nak(REDELIVER_MS);
    }
  };
  const consume = async (): Promise<void> => {
    await ensureWorkStream(nats, names);
    const consumer = await jetstream(nats).consumers.get(names.stream, names.consumer);
    current = await consumer.consume({
      max_messages: MESSAGES_AHEAD_MAX,
      expires: PULL_EXPIRES_MS,
      abort_on_missing_resource: true,
    });
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
        if (!isFailing && !stopping.signal.aborted)
          log.warn({ err: error, stream: names.stream }, "stream unavailable, retrying");
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
