import { type Dashboard, quantiles, rate } from "./panel.ts";

const BAD = `status=~"5xx|cut_by_upstream"`;

/** The overview page: overall health, and which services or channels are unhealthy. */
export const OVERVIEW: Dashboard = {
  uid: "turnpike-overview",
  title: "Turnpike / Overview",
  panels: [
    {
      title: "Calls per second",
      kind: "stat",
      unit: "reqps",
      queries: [["sum(rate(turnpike_relay_requests_total[$__rate_interval]))", "calls"]],
    },
    {
      title: "Success rate (30 min)",
      kind: "stat",
      unit: "percentunit",
      help: "Objective: 99.9 %",
      queries: [
        [
          `1 - sum(rate(turnpike_relay_requests_total{${BAD}}[30m])) / sum(rate(turnpike_relay_requests_total[30m]))`,
          "success rate",
        ],
      ],
    },
    {
      title: "Posting lag",
      kind: "stat",
      unit: "s",
      queries: [["max(turnpike_billing_usage_lag_seconds)", "lag"]],
    },
    {
      title: "Ledger difference",
      kind: "stat",
      queries: [["max by (sum) (abs(turnpike_billing_ledger_difference))", "{{sum}}"]],
    },
    { title: "Services up", queries: [['sum by (component) (up{job="turnpike"})', "{{component}}"]] },
    { title: "Calls by status", unit: "reqps", queries: [rate("turnpike_relay_requests_total", "status")] },
    {
      title: "Console calls by area",
      unit: "reqps",
      queries: [rate("turnpike_gateway_http_requests_total", "area")],
    },
    {
      title: "Console errors",
      unit: "reqps",
      queries: [
        ['sum by (area) (rate(turnpike_gateway_http_requests_total{status="5xx"}[$__rate_interval]))', "{{area}}"],
      ],
    },
    { title: "Console response time", unit: "s", queries: quantiles("turnpike_gateway_http_request_seconds") },
    {
      title: "Served gRPC calls: p99",
      unit: "s",
      queries: [
        [
          "histogram_quantile(0.99, sum by (le, component) (rate(turnpike_grpc_server_seconds_bucket[$__rate_interval])))",
          "{{component}}",
        ],
      ],
    },
    {
      title: "gRPC failures",
      unit: "reqps",
      queries: [
        [
          'sum by (component, outcome) (rate(turnpike_grpc_server_seconds_count{outcome!="ok"}[$__rate_interval]))',
          "{{component}} {{outcome}}",
        ],
      ],
    },
    {
      title: "CPU",
      unit: "percentunit",
      queries: [
        ['sum by (component) (rate(process_cpu_seconds_total{job="turnpike"}[$__rate_interval]))', "{{component}}"],
      ],
    },
    {
      title: "Memory",
      unit: "bytes",
      queries: [['max by (component) (process_resident_memory_bytes{job="turnpike"})', "{{component}}"]],
    },
    {
      title: "Event loop p99",
      unit: "s",
      queries: [['max by (component) (nodejs_eventloop_lag_p99_seconds{job="turnpike"})', "{{component}}"]],
    },
    {
      title: "MongoDB: p99 by command",
      unit: "s",
      queries: [
        [
          "histogram_quantile(0.99, sum by (le, command) (rate(turnpike_mongodb_command_seconds_bucket[$__rate_interval])))",
          "{{command}}",
        ],
      ],
    },
    {
      title: "MongoDB: connections and queue",
      queries: [["sum by (component, state) (turnpike_mongodb_connections)", "{{component}} {{state}}"]],
    },
    {
      title: "Redis and NATS: round trip p99",
      unit: "s",
      queries: [
        [
          "histogram_quantile(0.99, sum by (le, service) (rate(turnpike_backing_probe_seconds_bucket[5m])))",
          "{{service}}",
        ],
      ],
    },
    {
      title: "Connections lost",
      queries: [
        [
          "sum by (component) (increase(turnpike_redis_connections_lost_total[$__rate_interval]))",
          "redis {{component}}",
        ],
        ["sum by (component) (increase(turnpike_nats_connections_lost_total[$__rate_interval]))", "nats {{component}}"],
        [
          "sum by (service) (increase(turnpike_backing_probe_failures_total[$__rate_interval]))",
          "{{service}} unavailable",
        ],
      ],
    },
    {
      title: "Queued mail and webhooks",
      queries: [["max by (kind) (turnpike_messaging_deliveries_queued)", "{{kind}}"]],
    },
  ],
};
