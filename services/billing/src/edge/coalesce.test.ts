import { describe, expect, it } from "vitest";
import { createCoalesced } from "./coalesce.ts";

/** A step that ends when the test says so. */
function manual() {
  const ends: (() => void)[] = [];
  const run = (): Promise<number> =>
    new Promise((resolve) => {
      const number = ends.length + 1;
      ends.push(() => resolve(number));
    });
  return { run, end: (index: number) => ends[index]?.(), begun: () => ends.length };
}

describe("coalesced runs", () => {
  it("share one run among all who came after the current one began", async () => {
    const step = manual();
    const shared = createCoalesced(step.run);
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

  it("go on after a run that failed", async () => {
    let runs = 0;
    const shared = createCoalesced(async () => {
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
