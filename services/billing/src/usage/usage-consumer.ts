import { USAGE_SIGNATURE_HEADER, type UsageSigner } from "@turnpike/shared/crypto/usage-signature";
import type { NatsConnection } from "@turnpike/shared/events/bus";
import { createWorkConsumer, type WorkConsumer, type WorkMessage } from "@turnpike/shared/events/work-consumer";
import type { WorkStream } from "@turnpike/shared/events/work-stream";
import type { Logger } from "@turnpike/shared/log/log";
import type { UsageApplier, UsageMessage } from "./usage-applier.ts";
import { createUsageBatcher } from "./usage-batcher.ts";
import { decodeUsage } from "./usage-decoder.ts";

const MESSAGES_AHEAD_MAX = 300;

function toUsageMessage(message: WorkMessage, signer: UsageSigner): UsageMessage {
  const text = message.text();
  const isSigned = signer.verify(text, message.header(USAGE_SIGNATURE_HEADER));
  return { ...message, ...decodeUsage(text), isSigned };
}

/** Consumes the usage stream and has its records posted in batches. */
export function createUsageConsumer(deps: {
  nats: NatsConnection;
  work: WorkStream;
  apply: UsageApplier;
  signer: UsageSigner;
  log: Logger;
}): WorkConsumer {
  const open = () => {
    const batcher = createUsageBatcher(deps.apply);
    return { add: (message: WorkMessage) => batcher.add(toUsageMessage(message, deps.signer)), finish: batcher.finish };
  };
  return createWorkConsumer({
    nats: deps.nats,
    work: deps.work,
    open,
    messagesAheadMax: MESSAGES_AHEAD_MAX,
    log: deps.log,
  });
}
