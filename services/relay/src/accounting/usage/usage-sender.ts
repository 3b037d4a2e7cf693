import { retry } from "@turnpike/shared/concurrency/retry";
import type { Logger } from "@turnpike/shared/log/log";
import { publishFailures, spoolFailures } from "../../core/telemetry/relay-metrics.ts";
import type { RelayDeadLetters } from "./dead-letters.ts";
import type { Spool } from "./spool.ts";
import { createUnstoredMessages } from "./unstored-messages.ts";
import { createUsageEncoder, decodeUsageLine, type UsageMessage } from "./usage-messages.ts";
import { MessageRefused, type UsageStream } from "./usage-stream.ts";

const REPLAY_BACKOFF = { firstMs: 500, maxMs: 500 };
/** Maximum publishes in flight; further messages wait in memory, and are spooled when a publish fails. */
const PUBLISHES_AT_ONCE_MAX = 256;

type SendMessage = (message: UsageMessage) => Promise<void>;

export type UsageSenderDeps = UsageStream & {
  readonly spool: Spool;
  readonly deadLetters: RelayDeadLetters;
  readonly source: string;
  readonly log: Logger;
};

/**
 * Creates the function that sends one message: rejects if the stream is down, never because of the message itself. When a
 * message of several records is refused, each is sent alone, so that only the one that is refused is dead-lettered.
 */
function createMessageSender({ publish, payloadBytesMax, deadLetters, source }: UsageSenderDeps) {
  const encode = createUsageEncoder(source, payloadBytesMax);
  return async function sendMessage({ id, line }: UsageMessage): Promise<void> {
    try {
      await publish(line, id);
    } catch (error) {
      if (!(error instanceof MessageRefused)) throw error;
      const records = decodeUsageLine(line)?.records() ?? [];
      if (records.length <= 1) return deadLetters.keep(line, "too_large");
      for (const message of records.flatMap((record) => encode([record]))) await sendMessage(message);
    }
  };
}

/** Creates the function that sends one spooled line: rejects if the stream is down, never because of the line itself. */
function createLineSender({ payloadBytesMax, deadLetters, source }: UsageSenderDeps, sendMessage: SendMessage) {
  const encode = createUsageEncoder(source, payloadBytesMax);
  /** A line may have been written under a higher limit of the server. */
  const toMessages = (line: string): readonly UsageMessage[] | undefined => {
    const decoded = decodeUsageLine(line);
    if (!decoded || Buffer.byteLength(line) <= payloadBytesMax()) return decoded && [{ id: decoded.id, line }];
    const records = decoded.records();
    return records && encode(records);
  };
  return async function sendLine(line: string): Promise<void> {
    const messages = toMessages(line);
    if (!messages) return deadLetters.keep(line, "unreadable");
    for (const message of messages) await sendMessage(message);
  };
}

/** Sends messages to JetStream, else to the spool, which it empties into JetStream; what neither takes waits in memory. */
export function createUsageSender(deps: UsageSenderDeps, signal: AbortSignal) {
  let replaying: Promise<void> | undefined;
  let isDiskFailing = false;
  const underWay = new Set<Promise<void>>();
  const sendMessage = createMessageSender(deps);
  const sendLine = createLineSender(deps, sendMessage);

  const sendSpooled = async (): Promise<void> => {
    while (!deps.spool.isEmpty() && !signal.aborted) {
      await deps.spool.drain(sendLine);
      deps.log.info("spooled usage sent");
    }
  };
  /** Ends when the spool is empty, or when the publisher stops. */
  const replay = (): void => {
    if (deps.spool.isEmpty()) return;
    replaying ??= retry(sendSpooled, { backoff: REPLAY_BACKOFF, signal })
      .catch(() => undefined)
      .finally(() => (replaying = undefined));
  };
  /** False if the disk does not take the message. */
  const spool = (line: string): boolean => {
    try {
      deps.spool.append(line);
    } catch (error) {
      spoolFailures.value++;
      if (!isDiskFailing) deps.log.error({ err: error }, "usage could not be spooled to disk");
      isDiskFailing = true;
      return false;
    }
    isDiskFailing = false;
    replay();
    return true;
  };
  const unstored = createUnstoredMessages({ sendLine, spool, signal, log: deps.log });
  const publish = (message: UsageMessage): void => {
    const { line } = message;
    const attempt = sendMessage(message).catch((error: unknown) => {
      publishFailures.value++;
      deps.log.warn({ err: error }, "usage publish failed, spooled to disk");
      if (!spool(line)) unstored.add(line);
    });
    underWay.add(attempt);
    void attempt.finally(() => underWay.delete(attempt));
  };
  const send = (message: UsageMessage): void => {
    const isBehind = !deps.spool.isEmpty() || underWay.size >= PUBLISHES_AT_ONCE_MAX;
    if (isBehind && spool(message.line)) return;
    // The disk is full or read-only. NATS may take it all the same.
    if (underWay.size >= PUBLISHES_AT_ONCE_MAX) unstored.add(message.line);
    else publish(message);
  };
  return {
    send,
    replay,
    /** False while neither NATS nor the disk takes a message. */
    isStoring: unstored.isEmpty,
    /** Resolves once no publish is under way. */
    published: async (): Promise<void> => void (await Promise.all(underWay)),
    /** Resolves once spool and memory are empty, or shortly after the signal. */
    replayed: async (): Promise<void> => void (await Promise.all([replaying, unstored.ended()])),
  };
}
