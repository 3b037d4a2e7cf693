import { describe, expect, it } from "vitest";
import { NO_USAGE, separateIterations, withIterations, type IterationUsage } from "./usage.ts";

const tokens = (promptTokens: number, completionTokens: number) => ({ ...NO_USAGE, promptTokens, completionTokens });
const isOther = (model: string): boolean => model !== "own";
const separate = (...iterations: readonly IterationUsage[]) =>
  separateIterations({ ...tokens(2000, 100), iterations }, isOther);

const COMPACTION = { kind: "compaction", isInTotals: false, usage: tokens(18_000, 350) };
const MESSAGE = { kind: "message", isInTotals: true, usage: tokens(1500, 60) };

describe("iterations that are charged by themselves", () => {
  it("are those that the totals lack", () => {
    expect(separate(COMPACTION, MESSAGE)).toEqual({ ...tokens(2000, 100), iterations: [COMPACTION] });
  });

  it("have the call's price where they name the call's own model: the name is left out", () => {
    expect(separate({ ...COMPACTION, model: "own" }).iterations).toEqual([COMPACTION]);
    expect(separate({ ...COMPACTION, model: "other" }).iterations).toEqual([{ ...COMPACTION, model: "other" }]);
  });

  it("are taken out of the totals where another model served them", () => {
    expect(separate({ ...MESSAGE, model: "own" })).toEqual(tokens(2000, 100));
    const other = { ...MESSAGE, model: "other" };
    const separated = separate(other);
    expect(separated).toEqual({ ...tokens(500, 40), iterations: [other] });
    expect(withIterations(separated)).toEqual(tokens(2000, 100));
  });
});
