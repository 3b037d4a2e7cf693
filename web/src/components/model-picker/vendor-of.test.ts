import { expect, it } from "vitest";
import { byVendor, vendorOf } from "./vendor-of.ts";

it("knows a model's vendor by how its name begins, with or without a vendor before it", () => {
  expect(
    ["gpt-4o", "o3-mini", "CLAUDE-3-opus", "google/gemini-2.0-flash", "qwen-max", "nobody-knows"].map(vendorOf),
  ).toEqual(["OpenAI", "OpenAI", "Anthropic", "Google", "Alibaba", undefined]);
});

it("groups models by vendor, each in the order they came, the unknown last", () => {
  expect(byVendor(["mystery", "claude-b", "gpt-4o", "claude-a"])).toEqual([
    { vendor: "OpenAI", models: ["gpt-4o"] },
    { vendor: "Anthropic", models: ["claude-b", "claude-a"] },
    { vendor: undefined, models: ["mystery"] },
  ]);
});
