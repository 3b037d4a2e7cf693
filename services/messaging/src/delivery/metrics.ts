import { registry } from "@turnpike/shared/telemetry/metrics";
import { Counter } from "prom-client";

/** Delivery attempts by outcome: sent, retry, dead. */
export const deliveriesDone = new Counter({
  name: "turnpike_messaging_deliveries_total",
  help: "Delivery attempts of mail and webhooks by outcome (sent, retry, dead)",
  labelNames: ["kind", "outcome"],
  registers: [registry],
});

/** Notifications to users and to root by outcome: queued, limited, no_address. */
export const noticesDecided = new Counter({
  name: "turnpike_messaging_notices_total",
  help: "Notifications by outcome (queued, limited, no_address)",
  labelNames: ["notice", "outcome"],
  registers: [registry],
});
