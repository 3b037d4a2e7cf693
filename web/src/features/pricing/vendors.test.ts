import { expect, it } from "vitest";
import { vendorOf } from "./vendors.ts";

it.each([
  ["gpt-4o-mini", "OpenAI"],
  ["o3", "OpenAI"],
  ["openai/o4-mini", "OpenAI"],
  ["claude-sonnet-4-20250514", "Anthropic"],
  ["Qwen/Qwen3-32B", "Qwen"],
  ["text-embedding-004", "Google"],
  ["text-embedding-3-small", "OpenAI"],
  ["SparkDesk-v4.0", "iFlytek"],
  ["olmo-2", undefined],
])("%s is made by %s", (model, vendor) => {
  expect(vendorOf(model)).toBe(vendor);
});
