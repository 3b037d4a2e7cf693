import { describe, expect, it } from "vitest";
import { createHiddenReasoning, estimateHiddenTokens } from "./hidden-reasoning.ts";

const complete = (visibleTokens: number, tookMs = 10_000) => ({ visibleTokens, tookMs });
const learned = { share: 0.8, tokens: 800, tookMs: 10_000 };

describe("hidden reasoning", () => {
  it("is what upstream reports as reasoning and does not send", () => {
    const hidden = createHiddenReasoning();
    hidden.learn("o3", { completionTokens: 1_000, reasoningTokens: 800 }, complete(200));
    expect(hidden.get("o3")).toEqual(learned);
    hidden.learn("o3", { completionTokens: 1_000, reasoningTokens: 0 }, complete(1_000, 5_000));
    expect(hidden.get("o3")).toEqual({ share: expect.closeTo(0.64), tokens: 640, tookMs: 9_000 });
  });

  it("is nothing for models that show their reasoning or have none", () => {
    const hidden = createHiddenReasoning();
    hidden.learn("shown", { completionTokens: 1_000, reasoningTokens: 800 }, complete(950));
    hidden.learn("plain", { completionTokens: 1_000, reasoningTokens: 0 }, complete(10));
    hidden.learn("empty", { completionTokens: 0, reasoningTokens: 0 }, complete(0));
    for (const model of ["shown", "plain", "empty", "unknown"]) expect(hidden.get(model)).toBeUndefined();
  });

  it("is bounded, whatever upstream reports", () => {
    const hidden = createHiddenReasoning();
    hidden.learn("all", { completionTokens: 1_000_000, reasoningTokens: 5_000_000 }, complete(0));
    expect(hidden.get("all")).toMatchObject({ share: 0.99, tokens: 1_000_000 });
  });

  it("is taken from other relays for models that this one does not know", () => {
    const [one, other] = [createHiddenReasoning(), createHiddenReasoning()];
    one.learn("o3", { completionTokens: 1_000, reasoningTokens: 800 }, complete(200));
    for (const [model, of] of one.takeChanges()) other.adopt(model, of);
    expect(other.get("o3")).toEqual(learned);
    other.adopt("o3", { share: 0.2, tokens: 1, tookMs: 1 });
    expect(other.get("o3")).toEqual(learned);
    expect([one.takeChanges().size, other.takeChanges().size]).toEqual([0, 0]);
  });
});

describe("estimate of the hidden tokens of a cut response", () => {
  const cut = { learned, elapsedMs: 5_000, completionTokensMax: 10_000 };

  it("is the part of the usual number that fits the time while nothing is visible", () => {
    expect(estimateHiddenTokens(cut, 0)).toBe(400);
    expect(estimateHiddenTokens({ ...cut, elapsedMs: 0 }, 0)).toBe(0);
    expect(estimateHiddenTokens({ ...cut, elapsedMs: 40_000 }, 0)).toBe(800);
    expect(estimateHiddenTokens({ ...cut, learned: { ...learned, tookMs: 0 } }, 0)).toBe(800);
  });

  it("is the usual number once text is visible, and more after a long text", () => {
    expect(estimateHiddenTokens(cut, 1)).toBe(800);
    expect(estimateHiddenTokens(cut, 500)).toBe(2_000);
  });

  it("is never more than the hold covers", () => {
    expect(estimateHiddenTokens({ ...cut, completionTokensMax: 600 }, 500)).toBe(100);
    expect(estimateHiddenTokens({ ...cut, completionTokensMax: 300 }, 500)).toBe(0);
  });
});
