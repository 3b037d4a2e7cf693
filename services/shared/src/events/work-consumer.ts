import { type JsMsg, jetstream } from "@nats-io/jetstream";
import { createBackgroundLoop } from "../concurrency/background-loop.ts";
import type { Logger } from "../log/log.ts";
import type { NatsConnection } from "./bus.ts";
import { ensureWorkStream, type WorkStream } from "./work-stream.ts";

/** A message of a work stream, received and not acknowledged yet. */
export type WorkMessage = {
  readonly subject: string;
  readonly text: () => string;
  /** A header's value; "" when it is missing. */
  readonly header: (name: string) => string;
  /** The delivery count, including this delivery. */
  readonly deliveries: number;
  readonly ack: () => void;
  /** Returns it to the stream for redelivery. */
  readonly retryAfter: (delayMs: number) => void;
  /** Gives it up: it is never delivered again. */
  readonly drop: () => void;
  /** Signals that processing continues. */
  readonly working: () => void;
};

/** Processes what one connection to the stream delivers. */
export type MessageReceiver = {
  /** Takes a message, which it acknowledges or returns itself; resolves when the next one may come. */
  readonly add: (message: WorkMessage) => Promise<void>;
  /** Processes what it still holds. */
  readonly finish: () => Promise<void>;
};

export type WorkConsumer = ReturnType<typeof createWorkConsumer>;

const MESSAGES_AHEAD_MAX = 50;
const PULL_EXPIRES_MS = 10_000;
const BACKOFF = { firstMs: 500, maxMs: 1_000 };

const toWorkMessage = (message: JsMsg): WorkMessage => ({
  subject: message.subject,
  text: () => message.string(),
  header: (name) => message.headers?.get(name) ?? "",
  deliveries: message.info.deliveryCount,
  ack: () => message.ack(),
  retryAfter: (delayMs) => message.nak(delayMs),
  // Without a reason: servers before NATS 2.10.4 ignore a termination that has one, and deliver the message for ever.
  drop: () => message.term(),
  working: () => message.working(),
});

/**
 * Consumes a work stream through outages of NATS, and creates the stream where it is missing. Replicas share the work: each message goes
 * to one of them.
 */
export function createWorkConsumer(deps: {
  nats: NatsConnection;
  work: WorkStream;
  open: () => MessageReceiver;
  /** How many messages wait here, in addition to those that the receiver has taken. */
  messagesAheadMax?: number;
  log: Logger;
}) {
  const { nats, work, messagesAheadMax = MESSAGES_AHEAD_MAX, log } = deps;
  let hasBegun = false;

  const consume = async (signal: AbortSignal, markHealthy: () => void): Promise<void> => {
    await ensureWorkStream(nats, work);
    const consumer = await jetstream(nats).consumers.get(work.stream, work.consumer);
    const messages = await consumer.consume({
      max_messages: messagesAheadMax,
      expires: PULL_EXPIRES_MS,
      abort_on_missing_resource: true,
    });
    const onAbort = (): void => messages.stop();
    signal.addEventListener("abort", onAbort);
    if (signal.aborted) onAbort();
    hasBegun = true;
    markHealthy();
    const receiver = deps.open();
    try {
      for await (const message of messages) await receiver.add(toWorkMessage(message));
    } finally {
      signal.removeEventListener("abort", onAbort);
      await receiver.finish();
    }
  };
  const task = `consumer of stream ${work.stream}`;
  const loop = createBackgroundLoop({ task, run: consume, everyMs: BACKOFF.firstMs, backoff: BACKOFF, log });
  return {
    start: loop.start,
    /** True once the stream exists and is being read. */
    hasBegun: (): boolean => hasBegun,
    /** Receives no more, processes what was received, then resolves. */
    stop: loop.stop,
  };
}
