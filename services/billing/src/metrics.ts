import { registry } from "@turnpike/shared/telemetry/metrics";
import { Counter, Gauge, Histogram } from "prom-client";

/** Usage records by what became of them: booked, repeat, dead. */
export const usageRecords = new Counter({
  name: "turnpike_billing_usage_records_total",
  help: "Usage records by what became of them",
  labelNames: ["outcome"],
  registers: [registry],
});
// A series that begins at one has not grown: an alert on the first dead record needs the zero before it.
for (const outcome of ["booked", "repeat", "dead"]) usageRecords.inc({ outcome }, 0);

/** Time to book one batch, its transaction and Redis together. */
export const postingSeconds = new Histogram({
  name: "turnpike_billing_booking_seconds",
  help: "Time to book one batch of usage records",
  buckets: [0.005, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 5, 30],
  registers: [registry],
});

/** Messages of the usage stream that nobody has booked yet, as last seen. */
export const usagePending = new Gauge({
  name: "turnpike_billing_usage_pending_messages",
  help: "Messages of the usage stream that are not booked yet",
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
