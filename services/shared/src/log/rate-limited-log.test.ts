import { describe, expect, it } from "vitest";
import type { Logger } from "./log.ts";
import { createRateLimitedLog } from "./rate-limited-log.ts";

describe("rate-limited log", () => {
  it("logs a subject once a second with the number of suppressed lines", () => {
    const lines: object[] = [];
    let nowMs = 5_000;
    const log = createRateLimitedLog(
      { warn: (fields: object) => void lines.push(fields) } as unknown as Logger,
      () => nowMs,
    );
    const times = [0, 1, 999, 1_000, 3_000];
    for (const at of times) {
      nowMs = 5_000 + at;
      log("a", { at }, "unavailable");
    }
    log("b", { at: "other" }, "unavailable");
    expect(lines).toEqual([{ at: 0 }, { at: 1_000, suppressed: 2 }, { at: 3_000 }, { at: "other" }]);
  });
});
