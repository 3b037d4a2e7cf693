import { registry } from "@turnpike/shared/telemetry/metrics";
import { Counter, Gauge, Histogram } from "prom-client";

/** Usage records by outcome. */
export const usageRecords = new Counter({
  name: "turnpike_billing_usage_records_total",
  help: "Usage records by outcome: posted, duplicate, dead_lettered",
  labelNames: ["outcome"],
  registers: [registry],
});
// increase() does not see a series that starts at one: the alert on the first dead letter needs the zero before it.
for (const outcome of ["posted", "duplicate", "dead_lettered"]) usageRecords.inc({ outcome }, 0);

/** Time to post one batch, its transaction and Redis together. */
export const postingSeconds = new Histogram({
  name: "turnpike_billing_posting_seconds",
  help: "Time to post one batch of usage records",
  buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30],
  registers: [registry],
});

/** Messages of the usage stream that are not posted yet, as last read. */
export const usagePending = new Gauge({
  name: "turnpike_billing_usage_pending_messages",
  help: "Messages of the usage stream that are not posted yet",
  registers: [registry],
});

/** Calls booked because their relay died: from their holds, or from the journal that the next relay in its place has read. */
export const recoveredCalls = new Counter({
  name: "turnpike_billing_recovered_calls_total",
  help: "Calls booked from what their dead relay had held or noted",
  registers: [registry],
});

/** Records in one batch. */
export const batchRecords = new Histogram({
  name: "turnpike_billing_batch_records",
  help: "Usage records booked in one batch",
  buckets: [1, 5, 20, 100, 500, 1_000, 2_000, 5_000],
  registers: [registry],
});

/** Age of the oldest message of the usage stream that is not booked yet. */
export const usageLagSeconds = new Gauge({
  name: "turnpike_billing_usage_lag_seconds",
  help: "Age of the oldest usage message that is not booked yet",
  registers: [registry],
});

/** Disk that the usage stream takes. */
export const usageStreamBytes = new Gauge({
  name: "turnpike_billing_usage_stream_bytes",
  help: "Bytes that the usage stream holds",
  registers: [registry],
});

/** By how much the books differ as a whole; 0 unless something is wrong. Only the replica that looked last shows it. */
export const ledgerDifference = new Gauge({
  name: "turnpike_billing_ledger_difference",
  help: "Quota by which accounts differ from the ledger (credits) and from the hours (spent); 0 when all is well",
  labelNames: ["book"],
  registers: [registry],
});

/** When the books were compared last, in unix seconds. */
export const ledgerCheckedAt = new Gauge({
  name: "turnpike_billing_ledger_checked_timestamp_seconds",
  help: "When this replica compared the books last; 0 for never",
  registers: [registry],
});
