import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Limit } from "./limit-arguments.ts";
import { createRunningSlots } from "./concurrency-slots.ts";

const limits: Limit[] = [
  { name: "c5", max: 2, periodMs: 20_000, counts: "running" },
  { name: "t5", max: 2, periodMs: 20_000, counts: "starts" },
];
const holder = (requestId: string) => ({ requestId, userId: 7, limits });

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it("renews the slots of calls that run longer than a lease, and none of ended calls", async () => {
  const renewed: (string | number)[][] = [];
  const sendCommand = ({ args: [, , ...args] }: { args: (string | number)[] }) => Promise.resolve(renewed.push(args));
  const slots = createRunningSlots({ options: {}, sendCommand } as unknown as Parameters<typeof createRunningSlots>[0]);
  slots.take(holder("a"));
  slots.take(holder("b"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(renewed.splice(0)).toEqual([["rl:{7}:c5", "20000", "a", "b"]]);
  slots.leave(holder("a"));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(renewed.splice(0)).toEqual([["rl:{7}:c5", "20000", "b"]]);
  slots.leave(holder("b"));
  expect(vi.getTimerCount()).toBe(0);
});
