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

/** Calls posted because their relay died: from their holds, or from the write-ahead log that its successor has read. */
export const recoveredCalls = new Counter({
  name: "turnpike_billing_recovered_calls_total",
  help: "Calls of dead relays posted from their holds or write-ahead log",
  registers: [registry],
});

/** Records in one batch. */
export const batchRecords = new Histogram({
  name: "turnpike_billing_batch_records",
  help: "Usage records per posted batch",
  buckets: [1, 5, 20, 100, 500, 1_000, 2_000, 5_000],
  registers: [registry],
});

/** Age of the oldest message of the usage stream that is not posted yet. */
export const usageLagSeconds = new Gauge({
  name: "turnpike_billing_usage_lag_seconds",
  help: "Age of the oldest usage message that is not posted yet",
  registers: [registry],
});

/** Disk usage of the usage stream. */
export const usageStreamBytes = new Gauge({
  name: "turnpike_billing_usage_stream_bytes",
  help: "Size of the usage stream in bytes",
  registers: [registry],
});

/** Total reconciliation difference; 0 unless something is wrong. Only the replica that ran last exports it. */
export const ledgerDifference = new Gauge({
  name: "turnpike_billing_ledger_difference",
  help: "Quota by which accounts differ from the ledger (credits) and from the hourly sums (spent); 0 when they agree",
  labelNames: ["sum"],
  registers: [registry],
});

/** Unix time of the last reconciliation, in seconds. */
export const ledgerCheckedAt = new Gauge({
  name: "turnpike_billing_ledger_checked_timestamp_seconds",
  help: "Unix time of this replica's last reconciliation; 0 for never",
  registers: [registry],
});

/** What posted calls were charged, before refunds, in quota units. */
export const chargedQuota = new Counter({
  name: "turnpike_billing_charged_quota_total",
  help: "Quota charged for posted calls, by group, model family and whether the upstream's cost is known",
  labelNames: ["group", "family", "cost"],
  registers: [registry],
});

/** What upstreams charge for them, as far as it is known. */
export const costQuota = new Counter({
  name: "turnpike_billing_cost_quota_total",
  help: "Known cost of posted calls in quota units, by group and model family",
  labelNames: ["group", "family"],
  registers: [registry],
});

/** How many models and channels are sold below cost. Only the replica that checked last exports it. */
export const belowCostCount = new Gauge({
  name: "turnpike_billing_below_cost",
  help: "Models and channels sold below cost since yesterday",
  labelNames: ["kind"],
  registers: [registry],
});

/** Unix time of the last margin check, in seconds. */
export const marginsCheckedAt = new Gauge({
  name: "turnpike_billing_margins_checked_timestamp_seconds",
  help: "Unix time of this replica's last margin check; 0 for never",
  registers: [registry],
});

/** Days of the last week whose provider's report was compared. Only the replica that compared last exports it. */
export const reportDays = new Gauge({
  name: "turnpike_billing_provider_report_days",
  help: "Compared days of providers' cost reports in the last week by state: equal, different, failing",
  labelNames: ["state"],
  registers: [registry],
});

/** Unix time of the last run over the providers' reports, in seconds. */
export const reportsCheckedAt = new Gauge({
  name: "turnpike_billing_provider_reports_checked_timestamp_seconds",
  help: "Unix time of this replica's last check of providers' reports; 0 for never",
  registers: [registry],
});
