import { registry } from "@turnpike/shared/telemetry/metrics";
import { Counter, Gauge, Histogram } from "prom-client";

/** Usage records by what became of them: booked, repeat, dead. */
export const usageRecords = new Counter({
  name: "turnpike_billing_usage_records_total",
  help: "Usage records by what became of them",
  labelNames: ["outcome"],
  registers: [registry],
});

/** Time to book one batch, its transaction and Redis together. */
export const bookingSeconds = new Histogram({
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

/** Calls booked from their holds because their relay died. */
export const recoveredCalls = new Counter({
  name: "turnpike_billing_recovered_calls_total",
  help: "Calls booked from what their dead relay had held",
  registers: [registry],
});
