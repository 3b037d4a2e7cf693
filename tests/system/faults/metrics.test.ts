import { describe, expect, it } from "vitest";
import { useTestSite } from "../../lib/test-site-world.ts";

const at = useTestSite();

const request = (key: string, model: string, stream = false): Promise<Response> =>
  fetch(`${at.world.relayUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model, stream, messages: [{ role: "user", content: "Hello there" }] }),
    signal: AbortSignal.timeout(10_000),
  });

/** The sum of the samples of a metric whose labels include all of these. */
const figure = (text: string, name: string, ...labels: string[]): number =>
  text
    .split("\n")
    .filter((line) => line.startsWith(`${name}{`) || line.startsWith(`${name} `))
    .filter((line) => labels.every((label) => line.includes(label)))
    .reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
const getSeries = (text: string): number =>
  text.split("\n").filter((line) => line !== "" && !line.startsWith("#")).length;

describe("metrics of the running system", () => {
  it("covers process, gRPC or HTTP, and dependencies of every service", async () => {
    const { key } = await at.testSite.token();
    await (await request(key, "gpt-4o")).text();
    const served: [string, string][] = [
      ["auth", "turnpike_grpc_server_seconds_count"],
      ["auth", "turnpike_mongodb_command_seconds_count"],
      ["auth", "turnpike_redis_up"],
      ["billing", "turnpike_grpc_server_seconds_count"],
      ["billing", "turnpike_billing_usage_lag_seconds"],
      ["billing", "turnpike_nats_up"],
      ["channel", "turnpike_channel_channels"],
      ["channel", "turnpike_channel_up"],
      ["messaging", "turnpike_messaging_deliveries_queued"],
      ["relay", "turnpike_relay_requests_total"],
      ["relay", "turnpike_grpc_client_seconds_count"],
      ["gateway", "turnpike_gateway_http_requests_total"],
    ];
    for (const [name, metric] of served) {
      await expect
        .poll(() => at.world.metrics(name), { timeout: 15_000, interval: 500 })
        .toMatch(new RegExp(`^${metric}[{ ]`, "m"));
    }
    for (const name of ["auth", "billing", "channel", "messaging", "relay", "gateway"]) {
      const text = await at.world.metrics(name);
      expect(text).toContain("nodejs_eventloop_lag_seconds");
      // Each line is a name, labels and a value, as Prometheus requires.
      for (const line of text.split("\n"))
        expect(line).toMatch(/^$|^# (HELP|TYPE) |^[a-z_][a-z0-9_]*(\{[^{}]*\})? (NaN|[-+]?[0-9.e+-]+|[+-]Inf)$/i);
    }
  });

  it("counts a call under its dialect, family, channel and tokens, with an added latency below the total", async () => {
    const { key } = await at.testSite.token();
    const before = await at.world.metrics("relay");
    const channel = `channel="${at.testSite.channelIds["openai"]}"`;
    at.upstream.always(
      {},
      { text: "Hi", usage: { inputTokens: 400, cachedTokens: 100, outputTokens: 50, reasoningTokens: 0 } },
    );
    await (await request(key, "gpt-4o")).text();
    await (await request(key, "gpt-4o", true)).text();
    at.upstream.reset();
    const after = await at.world.metrics("relay");
    const moved = (name: string, ...labels: string[]): number =>
      figure(after, name, ...labels) - figure(before, name, ...labels);
    expect(moved("turnpike_relay_requests_total", 'dialect="openai-chat"', 'family="gpt-4o"', 'status="2xx"')).toBe(2);
    expect(moved("turnpike_relay_requests_total", 'stream="true"')).toBe(1);
    expect(moved("turnpike_relay_channel_attempts_total", channel, 'status="2xx"')).toBe(2);
    expect(moved("turnpike_relay_tokens_total", 'family="gpt-4o"', '"cached"')).toBe(200);
    const operation = [
      'gen_ai_operation_name="chat"',
      'gen_ai_provider_name="openai"',
      'gen_ai_request_model="gpt-4o"',
    ];
    expect(moved("gen_ai_client_token_usage_sum", ...operation, '"input"')).toBe(800);
    expect(moved("gen_ai_client_token_usage_sum", ...operation, '"output"')).toBe(100);
    expect(moved("gen_ai_client_token_usage_count", ...operation)).toBe(4);
    expect(moved("gen_ai_client_operation_duration_seconds_count", ...operation, 'error_type=""')).toBe(2);
    expect(moved("gen_ai_server_time_to_first_token_seconds_count")).toBe(1);
    expect(moved("turnpike_relay_overhead_seconds_count")).toBe(2);
    expect(moved("turnpike_relay_overhead_seconds_sum")).toBeGreaterThan(0);
    expect(moved("turnpike_relay_overhead_seconds_sum")).toBeLessThan(moved("turnpike_relay_call_seconds_sum"));
    expect(moved("turnpike_relay_holds_total")).toBe(2);
    expect(figure(after, "turnpike_relay_calls_in_flight")).toBe(0);
    expect(figure(after, "turnpike_relay_streams_in_flight")).toBe(0);
  });

  it("shows a failing upstream on its channel", async () => {
    const { key } = await at.testSite.token();
    const before = await at.world.metrics("relay");
    at.upstream.always({}, { refuse: { status: 500 } });
    expect((await request(key, "gpt-4o")).status).toBe(500);
    at.upstream.reset();
    const after = await at.world.metrics("relay");
    const labels = [`channel="${at.testSite.channelIds["openai"]}"`, 'status="5xx"'];
    const name = "turnpike_relay_channel_attempts_total";
    expect(figure(after, name, ...labels)).toBeGreaterThan(figure(before, name, ...labels));
    const failed = (text: string): number =>
      figure(text, "gen_ai_client_operation_duration_seconds_count", 'error_type="5xx"', '"openai"');
    expect(failed(after)).toBeGreaterThan(failed(before));
    expect(figure(after, "turnpike_relay_requests_total", 'status="5xx"')).toBeGreaterThan(
      figure(before, "turnpike_relay_requests_total", 'status="5xx"'),
    );
  });

  it("adds no series for thousands of random models, keys and paths", { timeout: 120_000 }, async () => {
    const { key } = await at.testSite.token();
    const word = (): string => Math.random().toString(36).slice(2);
    // Names of a known family, of none, and in the format of other gateways.
    const model = (): string =>
      [`gpt-4o-${word()}`, word(), `vendor-${word()}/claude-3-${word()}`][requested++ % 3] ?? "";
    let requested = 0;
    const flood = async (count: number): Promise<void> => {
      const until = requested + count;
      const caller = async (): Promise<void> => {
        while (requested < until) {
          await (await request(key, model(), requested % 2 === 0)).text();
          await (await request(`sk-${word()}`, model())).text();
          await (await fetch(`${at.world.relayUrl}/${word()}`)).text();
          if (requested % 20 === 0) await (await fetch(`${at.world.consoleUrl}/api/${word()}`)).text();
        }
      };
      await Promise.all(Array.from({ length: 16 }, caller));
    };
    const all = (): Promise<string[]> =>
      Promise.all(["auth", "billing", "channel", "relay", "gateway"].map((name) => at.world.metrics(name)));
    await flood(120);
    const before = await all();
    await flood(3_000);
    const after = await all();
    // A histogram or two may appear for the first time; one series per word would be thousands of lines.
    before.forEach((text, index) => expect(getSeries(after[index] ?? "") - getSeries(text)).toBeLessThan(100));
    expect(after.join("\n")).not.toContain(key.slice(3, 20));
  });
});
