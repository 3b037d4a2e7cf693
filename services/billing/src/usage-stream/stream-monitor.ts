import type { NatsConnection } from "@turnpike/shared/events/bus";
import { createPoll, type Poll } from "@turnpike/shared/telemetry/poll";
import { usageLagSeconds, usagePending, usageStreamBytes } from "../store/metrics.ts";
import { usageStreamManager, type UsageStreamNames } from "./usage-stream.ts";

const EVERY_MS = 5_000;

/**
 * Measures billing's lag behind the usage stream; posted messages are removed, so the first one is the oldest pending.
 */
export function createUsageStreamMonitor(deps: { nats: NatsConnection; names: UsageStreamNames }): Poll {
  return createPoll(EVERY_MS, async () => {
    const manager = await usageStreamManager(deps.nats);
    const { state } = await manager.streams.info(deps.names.stream);
    usagePending.set(state.messages);
    usageStreamBytes.set(state.bytes);
    const oldestMs = state.messages === 0 ? Date.now() : Date.parse(String(state.first_ts));
    usageLagSeconds.set(Math.max(0, (Date.now() - oldestMs) / 1000));
  });
}
