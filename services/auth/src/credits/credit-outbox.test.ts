import { describe, expect, it } from "vitest";
import { creditDelayAfter } from "./credit-outbox.ts";

describe("the wait before billing is asked again for a credit", () => {
  it("grows and stays within a minute", () => {
    expect([1, 2, 3, 8, 100].map(creditDelayAfter)).toEqual([500, 1_000, 2_000, 60_000, 60_000]);
  });
});
