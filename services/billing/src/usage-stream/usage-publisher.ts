import { jetstream } from "@nats-io/jetstream";
import { encodeEvent, type NatsConnection, getSubject } from "@turnpike/shared/events/bus";
import { type UsageRecord, usageRecorded } from "@turnpike/shared/events/relay";
import { newRequestId } from "@turnpike/shared/telemetry/request-id";

const TIMEOUT_MS = 5_000;

/** Publishes records to the usage stream; throws when NATS does not confirm them in time. */
export function createUsagePublisher(deps: { nats: NatsConnection; namespace: string }) {
  const client = jetstream(deps.nats, { timeout: TIMEOUT_MS });
  const subject = getSubject(deps.namespace, usageRecorded.subject);
  return async function publishUsage(records: readonly UsageRecord[]): Promise<void> {
    const id = newRequestId();
    await client.publish(subject, encodeEvent(usageRecorded, "billing", { records: [...records] }, id), { msgID: id });
  };
}
