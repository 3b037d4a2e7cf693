import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { createCounter, createHistogram, registerGauge } from "./metric-series.ts";

describe("metric of a busy path", () => {
  it("counts by label values, in Prometheus's text format", async () => {
    const into = new Registry();
    const calls = createCounter({ name: "calls_total", help: "Calls", labelNames: ["dialect", "status"] }, { into });
    calls.of("chat", "2xx").value += 2;
    calls.of("chat", "5xx").value++;
    expect(calls.of("chat", "2xx").value).toBe(2);
    const text = await into.metrics();
    expect(text).toContain("# TYPE calls_total counter");
    expect(text).toContain('calls_total{dialect="chat",status="2xx"} 2');
    expect(text).toContain('calls_total{dialect="chat",status="5xx"} 1');
  });

  it("counts new label values above the bound under other", async () => {
    const into = new Registry();
    const names = { name: "models_total", help: "Models", labelNames: ["model", "status"] };
    const models = createCounter(names, { into, seriesMax: 3 });
    for (let index = 0; index < 50; index++) models.of(`m${index}`, "2xx").value++;
    const lines = (await into.metrics()).split("\n").filter((line) => line.startsWith("models_total"));
    expect(lines).toHaveLength(4);
    expect(lines).toContain('models_total{model="other",status="other"} 47');
  });

  it("sorts observations into cumulative buckets", async () => {
    const into = new Registry();
    const names = { name: "wait_seconds", help: "Waits", labelNames: ["kind"], buckets: [0.1, 1] };
    const waits = createHistogram(names, { into });
    for (const value of [0.05, 0.1, 0.5, 7]) waits.of("a").observe(value);
    const text = await into.metrics();
    expect(text).toContain('wait_seconds_bucket{kind="a",le="0.1"} 2');
    expect(text).toContain('wait_seconds_bucket{kind="a",le="1"} 3');
    expect(text).toContain('wait_seconds_bucket{kind="a",le="+Inf"} 4');
    expect(text).toContain('wait_seconds_sum{kind="a"} 7.65');
    expect(text).toContain('wait_seconds_count{kind="a"} 4');
  });

  it("reads a gauge at scrape time", async () => {
    const into = new Registry();
    let open = 1;
    registerGauge({ name: "open_keys", help: "Keys", labelNames: ["channel"] }, () => [[7, open]], into);
    open = 3;
    expect(await into.metrics()).toContain('open_keys{channel="7"} 3');
  });
});
