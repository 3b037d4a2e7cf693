import type { NatsConnection } from "@turnpike/shared/events/bus";
import { usageStreamManager, type usageStreamNames } from "./usage-stream.ts";

/** Asked for each account; the stream is asked this often. */
const FRESH_MS = 100;

/** Looks at how much of the usage stream waits to be booked; undefined when it does not say. */
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
    /** False also when nobody can say. */
    async isDrained(): Promise<boolean> {
      if (Date.now() - answer.atMs > FRESH_MS) answer = { atMs: Date.now(), isDrained: (await pending()) === 0 };
      return answer.isDrained;
    },
  };
}
