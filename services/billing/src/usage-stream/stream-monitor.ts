import type { NatsConnection } from "@turnpike/shared/events/bus";
import { getStreamManager, type WorkStream } from "@turnpike/shared/events/work-stream";
import { type BackgroundLoop, createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import { usageLagSeconds, usagePending, usageStreamBytes } from "../store/metrics.ts";

const EVERY_MS = 5_000;

/**
 * Measures billing's lag behind the usage stream; posted messages are removed, so the first one is the oldest pending.
 */
export function createUsageStreamMonitor(deps: { nats: NatsConnection; work: WorkStream }): BackgroundLoop {
  const measure = async (): Promise<void> => {
    const manager = await getStreamManager(deps.nats);
    const { state } = await manager.streams.info(deps.work.stream);
    usagePending.set(state.messages);
    usageStreamBytes.set(state.bytes);
    const oldestMs = state.messages === 0 ? Date.now() : Date.parse(String(state.first_ts));
    usageLagSeconds.set(Math.max(0, (Date.now() - oldestMs) / 1000));
  };
  // A value that cannot be read stays as it was; the metrics of MongoDB and NATS show why.
  return createBackgroundLoop({ task: "usage stream metrics", everyMs: EVERY_MS, run: measure });
}
