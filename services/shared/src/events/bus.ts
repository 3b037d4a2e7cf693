import { connect, type NatsConnection } from "@nats-io/transport-node";
import type { z } from "zod";
import { newRequestId } from "../telemetry/request-id.ts";
import { readConfig } from "../config/read-config.ts";
import { getNatsTarget, NatsConfig } from "./nats-options.ts";
import type { Logger } from "../log/log.ts";
import { observeNats } from "../telemetry/backing-metrics.ts";
import { Envelope, type EventType } from "./define-event.ts";

export type { NatsConnection };

/**
 * Connects to NATS, waiting for it at the start and reconnecting indefinitely. While it is down, JetStream publishing
 * fails at once; notifications are dropped, since every reader fetches again each minute.
 */
export async function connectNats(options: {
  url: string;
  name: string;
  log: Logger;
  /** How to sign in; the environment's settings if absent. */
  config?: NatsConfig;
}): Promise<NatsConnection> {
  const connection = await connect({
    ...getNatsTarget(options.url, options.config ?? readConfig(NatsConfig)),
    // A server whose accounts are being changed refuses for a moment.
    ignoreAuthErrorAbort: true,
    name: options.name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    reconnectJitter: 250,
    waitOnFirstConnect: true,
    timeout: 3_000,
    pingInterval: 5_000,
    maxPingOut: 2,
    // A stack trace for each message, for errors that explain themselves without it.
    noAsyncTraces: true,
  });
  const health = observeNats(connection);
  const watch = async (): Promise<void> => {
    for await (const status of connection.status()) {
      if (status.type === "disconnect") {
        health.lost();
        options.log.warn("NATS unavailable");
      }
      if (status.type === "reconnect") {
        health.back();
        options.log.info("NATS recovered");
      }
    }
  };
  watch().catch((error: unknown) => options.log.warn({ err: error }, "NATS connection status lost"));
  return connection;
}

/**
 * A connection for a program that ends soon, signed in and encrypted as those of the services. Throws when NATS does not
 * respond within three seconds or refuses.
 */
export const connectNatsOnce = async (options: {
  url: string;
  name: string;
  /** How to sign in; the environment's settings if absent. */
  config?: NatsConfig;
}): Promise<NatsConnection> =>
  connect({
    ...getNatsTarget(options.url, options.config ?? readConfig(NatsConfig)),
    name: options.name,
    reconnect: false,
    timeout: 3_000,
  });

/** The wire form of one event; throws when the data does not match its schema. */
export function encodeEvent<Data extends z.ZodType>(
  event: EventType<Data>,
  source: string,
  data: z.input<Data>,
  id = newRequestId(),
): string {
  return encodeTyped(event, source, event.data.parse(data) as z.output<Data>, id);
}

/** The same without the schema check, for busy publishers whose data is typed. Readers check in any case. */
export function encodeTyped<Data extends z.ZodType>(
  event: EventType<Data>,
  source: string,
  data: z.output<Data>,
  id: string,
): string {
  const envelope: Envelope = { id, type: event.subject, source, time: new Date().toISOString(), data };
  return JSON.stringify(envelope);
}

/** Parses the wire form; throws when it does not match the event's schema. */
export function decodeEvent<Data extends z.ZodType>(
  event: EventType<Data>,
  text: string,
): { id: string; data: z.output<Data> } {
  const envelope = Envelope.parse(JSON.parse(text));
  return { id: envelope.id, data: event.data.parse(envelope.data) as z.output<Data> };
}

export const getSubject = (namespace: string, subject: string): string =>
  namespace === "" ? subject : `${namespace}.${subject}`;

export type Bus = ReturnType<typeof createBus>;

/**
 * Notifications between services over core NATS: fast, and lossy (readers refetch each minute). Facts that must not be
 * lost go through JetStream instead.
 */
export function createBus(deps: { nats: NatsConnection; source: string; namespace: string; log: Logger }) {
  const { nats, source, namespace, log } = deps;
  return {
    /** Publishes to all subscribers; never throws, since a lost notification only causes a delay. */
    notify<Data extends z.ZodType>(event: EventType<Data>, data: z.input<Data>): void {
      try {
        nats.publish(getSubject(namespace, event.subject), encodeEvent(event, source, data));
      } catch (error) {
        log.warn({ err: error, subject: event.subject }, "notification could not be sent");
      }
    },
    /** Calls `run` for each notice; with `queue`, each is handled by one member of that group. */
    listen<Data extends z.ZodType>(
      event: EventType<Data>,
      run: (data: z.output<Data>) => void | Promise<void>,
      options: { queue?: string } = {},
    ): void {
      nats.subscribe(getSubject(namespace, event.subject), {
        ...(options.queue === undefined ? {} : { queue: options.queue }),
        callback: (error, message) => {
          const handle = async (): Promise<void> => {
            if (error) throw error;
            await run(decodeEvent(event, message.string()).data);
          };
          handle().catch((failure: unknown) =>
            log.warn({ err: failure, subject: event.subject }, "notification could not be handled"),
          );
        },
      });
    },
  };
}
