import { describe, expect, it } from "vitest";
import { fromLiteLlm } from "./litellm-rules.ts";
import { findRuleProblem } from "./price-rule.ts";

const chat = { mode: "chat", input_cost_per_token: 2e-6, output_cost_per_token: 10e-6 };

describe("rule of an entry of LiteLLM's list", () => {
  it("has the price of cache writes with a lifetime of twelve hours, in every band and tier", () => {
    const rule = fromLiteLlm({
      ...chat,
      cache_creation_input_token_cost: 2.5e-6,
      cache_creation_input_token_cost_above_12hr: 5e-6,
      input_cost_per_token_above_272k_tokens: 4e-6,
      cache_creation_input_token_cost_above_12hr_above_272k_tokens: 10e-6,
      input_cost_per_token_priority: 4e-6,
      cache_creation_input_token_cost_above_12hr_priority: 10e-6,
    });
    expect(rule).toMatchObject({
      cache_write: 2.5,
      cache_write_1h: 5,
      bands: [{ above: 272_000, input: 4, cache_write_1h: 10 }],
      tiers: { priority: { input: 4, cache_write_1h: 10 } },
    });
  });

  it("has the price of a query of Google Maps, which alone is no price of a model", () => {
    const rule = fromLiteLlm({ ...chat, google_maps_grounding_cost_per_query: 0.014 });
    expect(rule).toEqual({ input: 2, output: 10, per_map_query: 0.014 });
    expect(findRuleProblem(rule)).toBeUndefined();
    expect(fromLiteLlm({ mode: "chat", google_maps_grounding_cost_per_query: 0.014 })).toBeUndefined();
  });

  it.each([
    [
      { output_cost_per_image_1K: 0.04, output_cost_per_image_2K: 0.06 },
      { "1k": 0.04, "2k": 0.06 },
    ],
    [
      { output_cost_per_image_2K: 0.06, output_cost_per_image: 0.03 },
      { "2k": 0.06, "*": 0.03 },
    ],
    [{ output_cost_per_image: 0.03 }, 0.03],
    [{ input_cost_per_image: 0.05 }, 0.05],
  ])("has the prices of images by resolution: %o", (fields, expected) => {
    const rule = fromLiteLlm({ mode: "image_generation", ...fields });
    expect(rule).toEqual({ per_image: expected });
    expect(findRuleProblem(rule)).toBeUndefined();
  });
});
