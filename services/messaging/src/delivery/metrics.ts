import { registry } from "@turnpike/shared/telemetry/metrics";
import { Counter } from "prom-client";

/** Tries of deliveries by what became of them: sent, retry, dead. */
export const deliveriesDone = new Counter({
  name: "turnpike_messaging_deliveries_total",
  help: "Tries of outgoing mail and webhooks by what became of them",
  labelNames: ["kind", "outcome"],
  registers: [registry],
});

/** Notices to users and to root by what became of them: queued, limited, nowhere. */
export const noticesDecided = new Counter({
  name: "turnpike_messaging_notices_total",
  help: "Notices by what became of them",
  labelNames: ["notice", "outcome"],
  registers: [registry],
});
