import type { UsageSigner } from "@turnpike/shared/crypto/usage-signature";
import { getUsageHeaders } from "@turnpike/shared/events/usage-headers";
import type { NatsConnection } from "@turnpike/shared/events/bus";
import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import { createWorkPublisher } from "@turnpike/shared/events/work-stream";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";
import { getUsageStream } from "./usage-stream.ts";

type Deps = { readonly nats: NatsConnection; readonly namespace: string; readonly signer: UsageSigner };

/** Publishes records to the usage stream; throws when NATS does not confirm them in time. */
export function createRecordPublisher({ nats, namespace, signer }: Deps) {
  const work = getUsageStream(namespace);
  const createHeaders = (payload: string) => getUsageHeaders(signer, payload);
  const publish = createWorkPublisher({
    nats,
    namespace,
    source: "billing",
    event: usageRecorded,
    work,
    createHeaders,
  });
  return (records: readonly UsageRecord[]): Promise<void> => publish({ records: [...records] }, newRequestId());
}
