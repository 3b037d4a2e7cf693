import { setTimeout as wait } from "node:timers/promises";
import { type ConsumerMessages, type JsMsg, jetstream } from "@nats-io/jetstream";
import type { NatsConnection } from "@turnpike/shared/events/bus";
import type { Logger } from "@turnpike/shared/log/log";
import { decodeUsage } from "./usage-decoder.ts";
import type { UsageApplier, UsageMessage } from "./usage-applier.ts";
import { createUsageBatcher, type UsageBatcher } from "./usage-batcher.ts";
import { ensureUsageStream, usageStreamManager, type UsageStreamNames } from "../usage-stream/usage-stream.ts";

const MESSAGES_AHEAD_MAX = 300;
const PULL_EXPIRES_MS = 10_000;
const RETRY_MS = 500;

const toUsageMessage = (message: JsMsg): UsageMessage => ({
  ...decodeUsage(message.string()),
  deliveries: message.info.deliveryCount,
  ack: () => message.ack(),
  retryAfter: (delayMs) => message.nak(delayMs),
  working: () => message.working(),
});

/**
 * Consumes the usage stream and has messages applied, indefinitely: through NATS outages, and re-creating the stream
 * when it is missing. Several replicas share the work.
 */
export function createUsageConsumer(deps: {
  nats: NatsConnection;
  names: UsageStreamNames;
  apply: UsageApplier;
  log: Logger;
}) {
  const { nats, names, log } = deps;
  let stopped = false;
  let isFailing = false;
  let current: ConsumerMessages | undefined;
  let loop: Promise<void> | undefined;
  const stopping = new AbortController();

  const pause = (ms: number): Promise<void> => wait(ms, undefined, { signal: stopping.signal }).catch(() => undefined);

  const consume = async (batcher: UsageBatcher): Promise<void> => {
    const manager = await usageStreamManager(nats);
    await ensureUsageStream(manager, names);
    const consumer = await jetstream(nats).consumers.get(names.stream, names.consumer);
    const messages = await consumer.consume({
      max_messages: MESSAGES_AHEAD_MAX,
      expires: PULL_EXPIRES_MS,
      abort_on_missing_resource: true,
    });
    current = messages;
    if (stopped) messages.stop();
    isFailing = false;
    for await (const message of messages) await batcher.add(toUsageMessage(message));
  };
  const run = async (): Promise<void> => {
    while (!stopped) {
      const batcher = createUsageBatcher(deps.apply);
      try {
        await consume(batcher);
      } catch (error) {
        // Logs once per outage, not once per attempt.
        if (!isFailing && !stopped) log.warn({ err: error }, "usage stream unavailable, retrying");
        isFailing = true;
      }
      await batcher.finish();
      await pause(RETRY_MS);
    }
  };
  return {
    start(): void {
      loop ??= run();
    },
    /** True once the stream exists and is being read. */
    hasBegun: (): boolean => current !== undefined,
    /** Stops receiving, applies what was received, then resolves. */
    async stop(): Promise<void> {
      stopped = true;
      stopping.abort();
      current?.stop();
      await loop;
    },
  };
}
