import { describe, expect, it } from "vitest";
import { delayAfter } from "./outbox-worker.ts";

describe("the wait before billing is asked again", () => {
  it("grows and stays within five seconds", () => {
    expect([1, 2, 3, 4, 5, 1_000].map(delayAfter)).toEqual([500, 1_000, 2_000, 4_000, 5_000, 5_000]);
  });
});
