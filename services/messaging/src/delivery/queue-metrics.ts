import { registerGauge } from "@turnpike/shared/telemetry/metric-series";
import { type BackgroundLoop, createBackgroundLoop } from "@turnpike/shared/concurrency/background-loop";
import type { DeliveryModel } from "./delivery-model.ts";

const EVERY_MS = 10_000;
const QUERY_MS = 5_000;

/** Exports the number of queued deliveries and how long the oldest has been due. */
export function watchDeliveries(deliveries: DeliveryModel): BackgroundLoop {
  let rows: readonly { readonly _id: string; readonly count: number; readonly oldest: Date }[] = [];
  registerGauge(
    { name: "turnpike_messaging_deliveries_queued", help: "Queued mail and webhook deliveries", labelNames: ["kind"] },
    () => ["mail", "webhook"].map((kind) => [kind, rows.find(({ _id }) => _id === kind)?.count ?? 0] as const),
  );
  registerGauge(
    {
      name: "turnpike_messaging_oldest_due_seconds",
      help: "Seconds since the oldest queued delivery became due",
      labelNames: [],
    },
    () => [[Math.max(0, ...rows.map(({ oldest }) => (Date.now() - oldest.getTime()) / 1000))]],
  );
  const measure = async (): Promise<void> => {
    rows = await deliveries
      .aggregate<(typeof rows)[number]>([
        { $match: { status: "queued" } },
        { $group: { _id: "$kind", count: { $sum: 1 }, oldest: { $min: "$dueAt" } } },
      ])
      .option({ maxTimeMS: QUERY_MS });
  };
  // A value that cannot be read stays as it was; the metrics of MongoDB and NATS show why.
  return createBackgroundLoop({ task: "delivery metrics", everyMs: EVERY_MS, run: measure });
}
