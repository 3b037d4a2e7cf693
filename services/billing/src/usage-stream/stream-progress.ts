import type { NatsConnection } from "@turnpike/shared/events/bus";
import { getStreamManager, type WorkStream } from "@turnpike/shared/events/work-stream";

/** Called per account; the stream is queried at this interval. */
const FRESH_MS = 100;

/** Returns how much of the usage stream is not posted yet; undefined when unknown. */
export function createStreamProgress(nats: NatsConnection, work: WorkStream) {
  let latest = { atMs: 0, isDrained: false };
  const pending = async (): Promise<number | undefined> => {
    try {
      const info = await (await getStreamManager(nats)).consumers.info(work.stream, work.consumer);
      return info.num_pending + info.num_ack_pending;
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
