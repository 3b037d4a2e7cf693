import type { NatsConnection } from "@turnpike/shared/events/bus";
import { usageStreamManager, type usageStreamNames } from "./usage-stream.ts";

/** Called per account; the stream is queried at this interval. */
const FRESH_MS = 100;

/** Returns how much of the usage stream is not posted yet; undefined when unknown. */
export function createStreamProgress(nats: NatsConnection, names: ReturnType<typeof usageStreamNames>) {
  let answer = { atMs: 0, isDrained: false };
  const pending = async (): Promise<number | undefined> => {
    try {
      const info = await (await usageStreamManager(nats)).consumers.info(names.stream, names.consumer);
      return info.num_pending + info.num_ack_pending;
    } catch {
      return undefined;
    }
  };
  return {
    pending,
    /** False also when unknown. */
    async isDrained(): Promise<boolean> {
      if (Date.now() - answer.atMs > FRESH_MS) answer = { atMs: Date.now(), isDrained: (await pending()) === 0 };
      return answer.isDrained;
    },
  };
}
