import { setTimeout as wait } from "node:timers/promises";
import type { JetStreamManager } from "@nats-io/jetstream";
import type { NatsConnection } from "@turnpike/shared/events/bus";
import { undefinedIfMissing, getStreamManager, type WorkStream } from "@turnpike/shared/events/work-stream";
import { AppError } from "@turnpike/shared/errors/app-error";
import { usagePending } from "../store/metrics.ts";

const POLL_FIRST_MS = 15;
const POLL_MAX_MS = 200;

export type StreamBarrier = ReturnType<typeof createStreamBarrier>;

/**
 * Resolves once everything that the usage stream held at the time of the call is applied; throws `unavailable` after
 * the timeout. Waits for a stream that does not exist yet or is being re-created.
 */
export function createStreamBarrier(deps: { nats: NatsConnection; work: WorkStream; timeoutMs: number }) {
  const { nats, work, timeoutMs } = deps;

  const findState = async (manager: JetStreamManager) =>
    (await undefinedIfMissing(manager.streams.info(work.stream)))?.state;
  /** The last message of the stream; undefined while there is no stream. */
  const getLastSequence = async (manager: JetStreamManager): Promise<number | undefined> =>
    (await findState(manager))?.last_seq;
  /**
   * The stream decides: it holds each message until it is acknowledged, whereas its consumer counts a stored message a moment later.
   * What the consumer has acknowledged without a gap is applied, too.
   */
  const isApplied = async (manager: JetStreamManager, sequence: number): Promise<boolean> => {
    const state = await findState(manager);
    if (!state) return false;
    usagePending.set(state.messages);
    if (state.messages === 0 || state.first_seq > sequence) return true;
    const info = await undefinedIfMissing(manager.consumers.info(work.stream, work.consumer));
    return info !== undefined && info.ack_floor.stream_seq >= sequence;
  };
  const pass = async (): Promise<void> => {
    const untilMs = Date.now() + timeoutMs;
    const manager = await getStreamManager(nats);
    let last = await getLastSequence(manager);
    let pollMs = POLL_FIRST_MS;
    while (last === undefined || !(await isApplied(manager, last))) {
      if (Date.now() + pollMs > untilMs) throw new AppError("unavailable", "the usage stream is not applied in time");
      await wait(pollMs);
      pollMs = Math.min(POLL_MAX_MS, pollMs * 2);
      last ??= await getLastSequence(manager);
    }
  };
  return async (): Promise<void> => {
    try {
      await pass();
    } catch (error) {
      if (error instanceof AppError) throw error;
      throw new AppError("unavailable", "the usage stream is unavailable", { cause: error });
    }
  };
}
