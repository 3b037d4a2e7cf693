import { describe, expect, it } from "vitest";
import { toModels } from "./litellm-catalogue.ts";

const chat = (provider: string, dollars: number) => ({
  litellm_provider: provider,
  mode: "chat",
  input_cost_per_token: dollars / 1e6,
  output_cost_per_token: dollars / 1e6,
});

describe("model of LiteLLM's list", () => {
  it("has the price of the entry that has one where two share a name", () => {
    const list = { "gemini/m": chat("gemini", 0), m: chat("gemini", 0.3), "gemini/free": chat("gemini", 0) };
    const models = toModels(list, {});
    expect(models["m"]?.price).toEqual({ input: 0.3, output: 0.3 });
    expect(models["free"]?.price).toEqual({ input: 0, output: 0 });
  });

  it("has the maker's price where two entries of a name have one", () => {
    const models = toModels({ "groq/m": chat("groq", 9), m: chat("openai", 1) }, {});
    expect(models["m"]?.price.input).toBe(1);
  });

  it("has the prices of both entries of a name and provider where these agree", () => {
    const bare = chat("deepseek", 1);
    const full = { ...bare, cache_creation_input_token_cost: 0 };
    expect(toModels({ m: bare, "deepseek/m": full }, {})["m"]?.price).toEqual({ input: 1, output: 1, cache_write: 0 });
    const other = { ...chat("deepseek", 2), cache_creation_input_token_cost: 0 };
    expect(toModels({ m: bare, "deepseek/m": other }, {})["m"]?.price).toEqual({ input: 1, output: 1 });
  });

  it("keeps its own price of an image next to prices by kind", () => {
    const image = (fields: object) => ({ litellm_provider: "xai", mode: "image_generation", ...fields });
    const models = toModels(
      {
        "xai/painter": image({ output_cost_per_image_1K: 0.04, output_cost_per_image_2K: 0.06 }),
        "low/1024-x-1024/painter": image({ input_cost_per_image: 0.03 }),
        "xai/other": image({ output_cost_per_image: 0.05 }),
        "high/1024-x-1024/other": image({ input_cost_per_image: 0.2 }),
      },
      {},
    );
    expect(models["painter"]?.price.per_image).toEqual({ "low/1024x1024": 0.03, "1k": 0.04, "2k": 0.06 });
    expect(models["other"]?.price.per_image).toEqual({ "high/1024x1024": 0.2, "*": 0.05 });
  });
});
