import { expect, it } from "vitest";
import { getVendor, groupByVendor } from "./vendors.ts";

it.each([
  ["gpt-4o-mini", "OpenAI"],
  ["o3", "OpenAI"],
  ["openai/o4-mini", "OpenAI"],
  ["claude-sonnet-4-20250514", "Anthropic"],
  ["CLAUDE-3-opus", "Anthropic"],
  ["google/gemini-2.0-flash", "Google"],
  ["Qwen/Qwen3-32B", "Qwen"],
  ["text-embedding-004", "Google"],
  ["text-embedding-3-small", "OpenAI"],
  ["embedding-v1", "Baidu"],
  ["embedding-3", "Zhipu"],
  ["SparkDesk-v4.0", "iFlytek"],
  ["olmo-2", undefined],
])("returns the vendor of %s: %s", (model, vendor) => {
  expect(getVendor(model)).toBe(vendor);
});

it("groups models by vendor in their original order, unknown vendors last", () => {
  expect(groupByVendor(["mystery", "claude-b", "gpt-4o", "claude-a"])).toEqual([
    { vendor: "OpenAI", models: ["gpt-4o"] },
    { vendor: "Anthropic", models: ["claude-b", "claude-a"] },
    { vendor: undefined, models: ["mystery"] },
  ]);
});
