import { type Dashboard, quantiles, rate } from "./panel.ts";

/** Panels on how calls are served. */
export const RELAY: Dashboard = {
  uid: "turnpike-relay",
  title: "Turnpike / Relay",
  panels: [
    { title: "Calls by dialect", unit: "reqps", queries: [rate("turnpike_relay_requests_total", "dialect")] },
    { title: "Calls by model family", unit: "reqps", queries: [rate("turnpike_relay_requests_total", "family")] },
    {
      title: "Call errors",
      unit: "reqps",
      help: "Error responses by error code",
      queries: [rate("turnpike_relay_call_errors_total", "code")],
    },
    {
      title: "Error budget burn",
      help: "1 is the rate that exactly uses up a monthly error budget of 0.1 %",
      queries: [
        ["turnpike:relay_bad_share:rate5m / 0.001", "5 min"],
        ["turnpike:relay_bad_share:rate1h / 0.001", "1 h"],
        ["turnpike:relay_bad_share:rate6h / 0.001", "6 h"],
      ],
    },
    {
      title: "Latency added by the relay",
      unit: "s",
      help: "Without upstream time; until the first byte of a stream or the end of a non-streaming response",
      queries: quantiles("turnpike_relay_overhead_seconds", "stream"),
    },
    {
      title: "Time to first token",
      unit: "s",
      queries: quantiles("gen_ai_server_time_to_first_token_seconds", "gen_ai_request_model"),
    },
    { title: "Call duration", unit: "s", queries: quantiles("turnpike_relay_call_seconds", "stream") },
    {
      title: "In flight",
      queries: [
        ["sum(turnpike_relay_calls_in_flight)", "calls"],
        ["sum(turnpike_relay_streams_in_flight)", "streams"],
      ],
    },
    { title: "In flight per relay", queries: [["turnpike_relay_streams_in_flight", "{{instance}}"]] },
    { title: "Tokens", unit: "short", queries: [rate("turnpike_relay_tokens_total", "kind")] },
    {
      title: "Tokens by family",
      unit: "short",
      queries: [rate("turnpike_relay_tokens_total", "family")],
    },
    {
      title: "Upstream attempts",
      unit: "s",
      help: "Non-streaming responses; streams until their end",
      queries: quantiles("gen_ai_client_operation_duration_seconds", "gen_ai_provider_name"),
    },
    {
      title: "Failed upstream attempts",
      unit: "reqps",
      queries: [
        [
          'sum by (gen_ai_provider_name, error_type) (rate(gen_ai_client_operation_duration_seconds_count{error_type!=""}[$__rate_interval]))',
          "{{gen_ai_provider_name}} {{error_type}}",
        ],
      ],
    },
    {
      title: "Prompt cache hit rate by channel",
      unit: "percentunit",
      help: "Share of charged prompt tokens that the provider read from its prompt cache",
      queries: [
        [
          'sum by (channel) (rate(turnpike_relay_channel_prompt_tokens_total{kind="cache_read"}[$__rate_interval])) / sum by (channel) (rate(turnpike_relay_channel_prompt_tokens_total{kind="input"}[$__rate_interval]))',
          "{{channel}}",
        ],
      ],
    },
    {
      title: "Prompt cache tokens by channel",
      unit: "short",
      queries: [
        [
          'sum by (channel, kind) (rate(turnpike_relay_channel_prompt_tokens_total{kind!="input"}[$__rate_interval]))',
          "{{channel}} {{kind}}",
        ],
      ],
    },
    { title: "Holds", unit: "reqps", queries: [rate("turnpike_relay_holds_total", "outcome")] },
    {
      title: "Accounting failures",
      unit: "reqps",
      queries: [rate("turnpike_relay_accounting_failures_total", "step")],
    },
    { title: "Redis scripts", unit: "s", queries: quantiles("turnpike_relay_redis_script_seconds", "script") },
    {
      title: "Spool",
      unit: "bytes",
      queries: [
        ["turnpike_relay_spooled_bytes", "{{instance}}"],
        ["max(turnpike_relay_spool_limit_bytes)", "limit"],
      ],
    },
    {
      title: "gRPC calls of relays",
      unit: "reqps",
      help: "Calls for cached callers make none",
      queries: [
        ['sum by (method) (rate(turnpike_grpc_client_calls_total{component="relay"}[$__rate_interval]))', "{{method}}"],
      ],
    },
  ],
};
