import { expect, it } from "vitest";
import { withBatch, withoutPreset, withPreset } from "./price-tables.ts";

const tables = { modelRatio: { a: 1 }, completionRatio: { a: 2 }, modelPrice: { b: 0.1 }, cacheRatio: {} };
const preset = { source: "flexible", model_ratio: { a: 3, c: 4 }, completion_ratio: { c: 5 } } as const;

it("applies a preset to the tables and removes it again", () => {
  const merged = withPreset(tables, preset);
  expect(merged.modelRatio).toEqual({ a: 3, c: 4 });
  expect(merged.completionRatio).toEqual({ a: 2, c: 5 });
  const removed = withoutPreset(merged, preset);
  expect(removed.modelRatio).toEqual({});
  expect(removed.completionRatio).toEqual({ a: 2 });
});

it("keeps the model ratios when a preset has none", () => {
  const legacy = { source: "legacy", model_ratio: null, completion_ratio: { a: 9 } } as const;
  expect(withPreset(tables, legacy)).toEqual({ ...tables, completionRatio: { a: 9 } });
});

it("sets many models at once, by per-call price or by ratios", () => {
  expect(withBatch(tables, ["a", "x"], { mode: "call", price: 0.5 })).toEqual({
    modelRatio: {},
    completionRatio: {},
    modelPrice: { a: 0.5, b: 0.1, x: 0.5 },
    cacheRatio: {},
  });
  expect(withBatch(tables, ["b"], { mode: "both", ratio: 1.5, completion: 4 })).toEqual({
    modelRatio: { a: 1, b: 1.5 },
    completionRatio: { a: 2, b: 4 },
    modelPrice: {},
    cacheRatio: {},
  });
  expect(withBatch(tables, ["x"], { mode: "completion", completion: 4 }).completionRatio).toEqual({ a: 2, x: 4 });
});
