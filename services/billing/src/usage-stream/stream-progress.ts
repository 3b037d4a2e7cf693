import type { NatsConnection } from "@turnpike/shared/events/bus";
import { getStreamManager, type WorkStream } from "@turnpike/shared/events/work-stream";

/** Called per account; the stream is queried at this interval. */
const FRESH_MS = 100;

/**
 * Returns how many messages of the usage stream are not posted yet; undefined when unknown. The stream holds each message until it is
 * acknowledged, whereas its consumer counts a stored message a moment later.
 */
export function createStreamProgress(nats: NatsConnection, work: WorkStream) {
  let latest = { atMs: 0, isDrained: false };
  const pending = async (): Promise<number | undefined> => {
    try {
      const { state } = await (await getStreamManager(nats)).streams.info(work.stream);
      return state.messages;
    } catch {
      return undefined;
    }
  };
  return {
    pending,
    /** False also when unknown. */
    async isDrained(): Promise<boolean> {
      if (Date.now() - latest.atMs > FRESH_MS) latest = { atMs: Date.now(), isDrained: (await pending()) === 0 };
      return latest.isDrained;
    },
  };
}
