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
        title: "Posting lag",
        unit: "s",
        queries: [["max(turnpike_billing_usage_lag_seconds)", "oldest record"]],
      },
      { title: "Queued messages", queries: [["max(turnpike_billing_usage_pending_messages)", "messages"]] },
      {
        title: "Usage stream on disk",
        unit: "bytes",
        queries: [["max(turnpike_billing_usage_stream_bytes)", "bytes"]],
      },
      {
        title: "Usage records",
        unit: "short",
        help: "Duplicates are dropped; records that cannot be posted are dead-lettered",
        queries: [rate("turnpike_billing_usage_records_total", "outcome")],
      },
      { title: "Records per batch", queries: quantiles("turnpike_billing_batch_records") },
      { title: "Posting time of a batch", unit: "s", queries: quantiles("turnpike_billing_posting_seconds") },
      { title: "Ledger difference", queries: [["turnpike_billing_ledger_difference", "{{sum}} {{instance}}"]] },
      {
        title: "Last reconciliation",
        unit: "s",
        queries: [["time() - max(turnpike_billing_ledger_checked_timestamp_seconds)", "age"]],
      },
      {
        title: "Calls of dead relays",
        queries: [["sum(increase(turnpike_billing_recovered_calls_total[$__rate_interval]))", "posted from holds"]],
      },
      {
        title: "Charged per hour",
        help: "Quota units, before refunds",
        queries: [
          ["sum by (group, family) (rate(turnpike_billing_charged_quota_total[1h])) * 3600", "{{group}} {{family}}"],
        ],
      },
      {
        title: "Upstream cost per hour",
        help: "Quota units, of calls whose cost is known",
        queries: [
          ["sum by (group, family) (rate(turnpike_billing_cost_quota_total[1h])) * 3600", "{{group}} {{family}}"],
        ],
      },
      {
        title: "Margin per hour",
        help: "Quota units, of calls whose cost is known",
        queries: [
          [
            'sum by (group, family) (rate(turnpike_billing_charged_quota_total{cost="known"}[1h])) * 3600 - sum by (group, family) (rate(turnpike_billing_cost_quota_total[1h])) * 3600',
            "{{group}} {{family}}",
          ],
        ],
      },
      {
        title: "Share of charges whose cost is known",
        unit: "percentunit",
        queries: [
          [
            'sum(rate(turnpike_billing_charged_quota_total{cost="known"}[1h])) / sum(rate(turnpike_billing_charged_quota_total[1h]))',
            "known",
          ],
        ],
      },
      { title: "Sold below cost", queries: [["max by (kind) (turnpike_billing_below_cost)", "{{kind}}s"]] },
      {
        title: "Providers' cost reports of the last week, in days",
        queries: [["max by (state) (turnpike_billing_provider_report_days)", "{{state}}"]],
      },
    ],
  },
  {
    uid: "turnpike-channels",
    title: "Turnpike / Channels",
    panels: [
      { title: "Channels by status", queries: [["max by (status) (turnpike_channel_channels)", "{{status}}"]] },
      { title: "Channels in the routing table", queries: [["min(turnpike_relay_routed_channels)", "channels"]] },
      {
        title: "Disabled channels",
        kind: "table",
        queries: [["max by (channel, name) (turnpike_channel_up) == 0", "{{name}}"]],
      },
      {
        title: "Disabled keys",
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
        title: "Upstream response time: p99",
        unit: "s",
        queries: [
          [
            "histogram_quantile(0.99, sum by (le, channel) (rate(turnpike_relay_channel_seconds_bucket[$__rate_interval])))",
            "{{channel}}",
          ],
        ],
      },
      {
        title: "Circuit breakers",
        queries: [["sum by (channel, state) (turnpike_relay_channel_breakers)", "{{channel}} {{state}}"]],
      },
      {
        title: "Balances of upstream accounts",
        queries: [["max by (channel, name) (turnpike_channel_balance)", "{{name}}"]],
      },
    ],
  },
];
