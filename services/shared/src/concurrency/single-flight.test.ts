import { describe, expect, it } from "vitest";
import { createSingleFlight } from "./single-flight.ts";

/** A run that ends when the test ends it. */
function manual() {
  const ends: (() => void)[] = [];
  const run = (): Promise<number> =>
    new Promise((resolve) => {
      const number = ends.length + 1;
      ends.push(() => resolve(number));
    });
  return { run, end: (index: number) => ends[index]?.(), begun: () => ends.length };
}

describe("single flight", () => {
  it("shares the next run among all callers that arrive during the current one", async () => {
    const step = manual();
    const shared = createSingleFlight(step.run);
    const first = shared.call();
    const later = [shared.call(), shared.call(), shared.call()];
    expect(step.begun()).toBe(1);
    step.end(0);
    expect(await first).toBe(1);
    await expect.poll(step.begun).toBe(2);
    step.end(1);
    expect(await Promise.all(later)).toEqual([2, 2, 2]);
    expect(shared.isIdle()).toBe(true);
  });

  it("continues after a failed run", async () => {
    let runs = 0;
    const shared = createSingleFlight(async () => {
      runs++;
      if (runs === 1) throw new Error("no");
      return runs;
    });
    const first = shared.call();
    const second = shared.call();
    await expect(first).rejects.toThrow("no");
    expect(await second).toBe(2);
  });
});
