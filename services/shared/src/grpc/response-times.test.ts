import { expect, it } from "vitest";
import { ResponseTimes } from "./response-times.ts";

const withSamples = (...samples: number[]): number => {
  const times = new ResponseTimes();
  for (const ms of samples) times.add(ms);
  return times.getSilenceMaxMs();
};

it("grants a service that is always fast little silence, and a slow one up to four times its slowest response", () => {
  expect(withSamples(1, 2, 1, 2, 1)).toBe(600);
  expect(withSamples(1, 2, 200, 2, 1)).toBe(800);
  expect(withSamples(1, 2, 700, 2, 1)).toBe(1_500);
});

it("grants the longest silence while little is known", () => {
  expect(withSamples()).toBe(1_500);
  expect(withSamples(1, 1, 1, 1)).toBe(1_500);
});

it("ignores the response that ends an outage", () => {
  expect(withSamples(1, 2, 1, 2, 1, 20_000)).toBe(600);
});

it("grants twice the longest silence while timers of this process run late", () => {
  const times = new ResponseTimes();
  for (const ms of [1, 2, 1, 2, 1]) times.add(ms);
  times.addDelay(20);
  expect(times.getSilenceMaxMs()).toBe(600);
  times.addDelay(60);
  expect(times.getSilenceMaxMs()).toBe(3_000);
});
