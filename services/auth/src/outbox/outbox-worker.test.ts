import { describe, expect, it } from "vitest";
import { delayAfter } from "./outbox-worker.ts";

describe("outbox retry delay", () => {
  it("stays within a second while services start, and within five in an outage", () => {
    expect([1, 2, 3, 4, 20, 21, 1_000].map(delayAfter)).toEqual([250, 500, 1_000, 1_000, 1_000, 5_000, 5_000]);
  });
});
