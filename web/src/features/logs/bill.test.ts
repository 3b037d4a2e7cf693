import { computeQuota } from "@turnpike/contract/pricing/quota";
import { expect, it } from "vitest";
import { billOf } from "./bill.ts";

const entry = {
  id: 1,
  created_at: 0,
  type: 2,
  user_id: 1,
  username: "u",
  token_id: 1,
  token_name: "t",
  model_name: "m",
  channel: 1,
  channel_name: "c",
  group: "default",
  is_stream: false,
  use_time: 1,
  prompt_tokens: 1000,
  completion_tokens: 200,
  quota: 0,
  content: "",
  client_ip: "",
  request_id: "",
  other: "",
};

it("adds up to what billing charges", () => {
  const details = {
    model_ratio: 1.25,
    completion_ratio: 4,
    group_ratio: 1.5,
    cache_tokens: 300,
    cache_ratio: 0.5,
    cache_creation_tokens: 100,
    cache_creation_ratio: 1.25,
  };
  const bill = billOf(entry, details);
  const sum = bill?.mode === "tokens" ? bill.lines.reduce((total, line) => total + line.quota, 0) : 0;
  const price = {
    mode: "tokens",
    rule: "model",
    name: "m",
    modelRatio: 1.25,
    completionRatio: 4,
    cacheRatio: 0.5,
    cacheWriteRatio: 1.25,
    modelPrice: -1,
  } as const;
  const usage = {
    promptTokens: 1000,
    completionTokens: 200,
    cacheReadTokens: 300,
    cacheWriteTokens: 100,
    reasoningTokens: 0,
  };
  expect(Math.round(sum)).toBe(computeQuota(price, 1.5, 500_000, usage));
});

it("shows a price per call as one", () => {
  expect(billOf(entry, { model_price: 0.04, group_ratio: 2 })).toEqual({ mode: "call", dollars: 0.04, groupRatio: 2 });
});

it("makes no bill of a row without figures", () => {
  expect(billOf(entry, {})).toBeUndefined();
});

it("leaves out cache lines when nothing was cached", () => {
  const bill = billOf(entry, { model_ratio: 1, model_price: -1 });
  expect(bill?.mode === "tokens" && bill.lines.map(({ label }) => label)).toEqual(["输入", "输出"]);
});
