import { describe, expect, it } from "vitest";
import { modelFamily } from "./model-family.ts";

describe("model family", () => {
  it.each([
    ["gpt-4o-2024-11-20", "gpt-4o"],
    ["gpt-4.1-mini", "gpt-4.1"],
    ["claude-sonnet-4-5", "claude-sonnet"],
    ["anthropic/claude-3-5-haiku", "claude-3"],
    ["Qwen/Qwen3-235B", "qwen"],
    ["gemini-2.5-pro", "gemini-2"],
    ["my-own-model", "other"],
    ["", "other"],
  ])("assigns %s to %s", (model, family) => expect(modelFamily(model)).toBe(family));

  it("is one of a fixed set, whatever callers send", () => {
    const families = new Set<string>();
    for (let index = 0; index < 20_000; index++) families.add(modelFamily(`gpt-4o-${index}${Math.random()}`));
    for (let index = 0; index < 20_000; index++) families.add(modelFamily(`${Math.random()}-${index}`));
    expect([...families].toSorted()).toEqual(["gpt-4o", "other"]);
  });
});
