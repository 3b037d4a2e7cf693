import { createCounter, createHistogram, registerGauge } from "./metric-series.ts";

const STATUS_CLASSES = ["none", "1xx", "2xx", "3xx", "4xx", "5xx"] as const;

/** 2xx, 4xx …, or none for a request without a response. */
export const statusClass = (status: number): string => STATUS_CLASSES[Math.floor(status / 100)] ?? "none";

/** HTTP requests by area (a fixed word, never the caller's path) and status class; and the number of running ones. */
export function createHttpMetrics(prefix: string) {
  const requests = createCounter({
    name: `${prefix}_http_requests_total`,
    help: "HTTP requests by area and status class",
    labelNames: ["area", "status"],
  });
  const seconds = createHistogram({
    name: `${prefix}_http_request_seconds`,
    help: "Time from the head of an HTTP request to the end of its response, in seconds",
    labelNames: ["area"],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120, 600],
  });
  let running = 0;
  const inFlight = { name: `${prefix}_http_requests_in_flight`, help: "Active HTTP requests", labelNames: [] };
  registerGauge(inFlight, () => [[running]]);
  return {
    begin: (): number => {
      running++;
      return performance.now();
    },
    end(area: string, status: number, startedAt: number): void {
      running--;
      requests.of(area, statusClass(status)).value++;
      seconds.of(area).observe((performance.now() - startedAt) / 1000);
    },
  };
}
