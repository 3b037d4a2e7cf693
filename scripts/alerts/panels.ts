import { type Dashboard, quantiles, rate } from "./panel.ts";
import { OVERVIEW } from "./panels-overview.ts";
import { RELAY } from "./panels-relay.ts";

/** The dashboards that the chart ships to Grafana; `make dashboards` writes them as JSON. */
export const DASHBOARDS: readonly Dashboard[] = [
  OVERVIEW,
  RELAY,
  {
    uid: "turnpike-billing",
    title: "Turnpike / Billing",
    panels: [
      {
        title: "Behind the stream",
        unit: "s",
        queries: [["max(turnpike_billing_usage_lag_seconds)", "oldest waiting"]],
      },
      { title: "Messages waiting", queries: [["max(turnpike_billing_usage_pending_messages)", "messages"]] },
      { title: "Stream on disk", unit: "bytes", queries: [["max(turnpike_billing_usage_stream_bytes)", "bytes"]] },
      {
        title: "Usage records",
        unit: "short",
        help: "Duplicates are dropped, records that cannot be posted are dead-lettered",
        queries: [rate("turnpike_billing_usage_records_total", "outcome")],
      },
      { title: "Records in a batch", queries: quantiles("turnpike_billing_batch_records") },
      { title: "Time to post a batch", unit: "s", queries: quantiles("turnpike_billing_posting_seconds") },
      { title: "Ledger difference", queries: [["turnpike_billing_ledger_difference", "{{book}} {{instance}}"]] },
      {
        title: "Last reconciliation",
        unit: "s",
        queries: [["time() - max(turnpike_billing_ledger_checked_timestamp_seconds)", "seconds ago"]],
      },
      {
        title: "Calls of dead relays",
        queries: [["sum(increase(turnpike_billing_recovered_calls_total[$__rate_interval]))", "posted from holds"]],
      },
    ],
  },
  {
    uid: "turnpike-channels",
    title: "Turnpike / Channels",
    panels: [
      { title: "Channels by status", queries: [["max by (status) (turnpike_channel_channels)", "{{status}}"]] },
      { title: "Routed by the relays", queries: [["min(turnpike_relay_routed_channels)", "channels"]] },
      { title: "Down", kind: "table", queries: [["max by (channel, name) (turnpike_channel_up) == 0", "{{name}}"]] },
      {
        title: "Keys switched off",
        kind: "table",
        queries: [['max by (channel, name) (turnpike_channel_keys{state="disabled"}) > 0', "{{name}}"]],
      },
      {
        title: "Attempts by channel",
        unit: "reqps",
        queries: [rate("turnpike_relay_channel_attempts_total", "channel")],
      },
      {
        title: "Failures by channel",
        unit: "reqps",
        queries: [
          [
            'sum by (channel, status) (rate(turnpike_relay_channel_attempts_total{status!="2xx"}[$__rate_interval]))',
            "{{channel}} {{status}}",
          ],
        ],
      },
      {
        title: "Upstream answers: p99",
        unit: "s",
        queries: [
          [
            "histogram_quantile(0.99, sum by (le, channel) (rate(turnpike_relay_channel_seconds_bucket[$__rate_interval])))",
            "{{channel}}",
          ],
        ],
      },
      {
        title: "Breakers",
        queries: [["sum by (channel, state) (turnpike_relay_channel_breakers)", "{{channel}} {{state}}"]],
      },
      { title: "Balances at providers", queries: [["max by (channel, name) (turnpike_channel_balance)", "{{name}}"]] },
    ],
  },
];
