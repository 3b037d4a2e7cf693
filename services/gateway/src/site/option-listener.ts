import { connectNats, createBus, type NatsConnection } from "@turnpike/shared/events/bus";
import { optionsChanged } from "@turnpike/shared/events/auth";
import type { Logger } from "@turnpike/shared/log/log";

/**
 * Calls `onChange` when an option changed. It connects in the background, so that the gateway starts and serves while
 * NATS is down; missed changes are fetched within a minute.
 */
export function listenForOptionChanges(deps: { url: string; namespace: string; log: Logger; onChange: () => void }): {
  readonly stop: () => Promise<void>;
} {
  const { url, namespace, log, onChange } = deps;
  let nats: NatsConnection | undefined;
  const connect = async (): Promise<void> => {
    nats = await connectNats({ url, name: "gateway", log });
    createBus({ nats, source: "gateway", namespace, log }).listen(optionsChanged, onChange);
    onChange();
  };
  connect().catch((error: unknown) =>
    log.warn({ err: error }, "option change notifications unavailable, polling every minute"),
  );
  return { stop: async () => nats?.close() };
}
