import { expect, it } from "vitest";
import { createSteps, formatDuration } from "./steps.ts";

it("reports each step with its duration, and none that had nothing to do", async () => {
  const lines: string[] = [];
  let nowMs = 0;
  const steps = createSteps(
    (line) => lines.push(line),
    () => nowMs,
  );
  const work = (ms: number) => () => Promise.resolve(void (nowMs += ms));
  await steps.run(work(1_240), () => "console built");
  await steps.run(work(500), () => undefined);
  const end = steps.begin();
  nowMs += 60_000;
  end("auth ready");
  expect(lines).toEqual(["✓ console built (1.2 s)", "✓ auth ready (1 min 0 s)"]);
  expect(steps.total()).toBe(formatDuration(61_740));
});

it("passes the failure of a step on without a line", async () => {
  const lines: string[] = [];
  const failing = createSteps((line) => lines.push(line)).run(
    () => Promise.reject(new Error("full")),
    () => "done",
  );
  await expect(failing).rejects.toThrow("full");
  expect(lines).toEqual([]);
});
