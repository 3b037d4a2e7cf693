import { describe, expect, it } from "vitest";
import { DEFAULT_MODELS_BY_TYPE } from "./default-models.ts";

describe("default models", () => {
  it("gives each provider its own models and the custom type none", () => {
    expect(DEFAULT_MODELS_BY_TYPE["1"]).toContain("gpt-4o-mini");
    expect(DEFAULT_MODELS_BY_TYPE["14"]).toContain("claude-sonnet-4-5");
    expect(DEFAULT_MODELS_BY_TYPE["24"]).toContain("gemini-3.5-flash");
    expect(DEFAULT_MODELS_BY_TYPE["8"]).toEqual([]);
  });
  it("contains no name that cannot be called", () => {
    for (const name of Object.values(DEFAULT_MODELS_BY_TYPE).flat()) expect(name).toMatch(/^[@\w.:/-]+$/);
  });
});
