import { describe, expect, it } from "vitest";
import { DEFAULT_TOOL_PRICES, listToolPrices, withOwnToolPrices } from "./tool-prices.ts";

const priceTools = (table: Readonly<Record<string, number>>, model: string, dollars: number | undefined) =>
  withOwnToolPrices(listToolPrices(table, model), table, { model, per_search: dollars, per_map_query: dollars });

describe("a model's own price of a search or map query", () => {
  it("replaces the built-in prices of tools, also those for its family", () => {
    const prices = priceTools(DEFAULT_TOOL_PRICES, "gemini-2.5-pro", 0.02);
    expect(prices).toMatchObject({ web_search: 20, google_search: 20, google_maps: 20 });
    expect(priceTools(DEFAULT_TOOL_PRICES, "gemini-2.5-pro", undefined)).toMatchObject({
      google_search: 35,
      google_maps: 25,
    });
  });

  it("gives way to what the operator set for all models or for this one", () => {
    const own = { ...DEFAULT_TOOL_PRICES, web_search: 7, "google_maps:gemini-2*": 1 };
    expect(priceTools(own, "gemini-2.5-pro", 0.02)).toMatchObject({ web_search: 7, google_search: 20, google_maps: 1 });
  });
});

it("charges three cents for a container of OpenAI's code interpreter", () => {
  expect(listToolPrices(DEFAULT_TOOL_PRICES, "gpt-5.4")["code_interpreter"]).toBe(30);
});
