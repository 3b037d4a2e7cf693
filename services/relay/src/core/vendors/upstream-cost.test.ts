import { describe, expect, it } from "vitest";
import { readReportedDollars, removeReportedCost, withoutReportedCost } from "./upstream-cost.ts";

describe("reported cost", () => {
  it("is read as each provider reports it", () => {
    expect(readReportedDollars({ cost: 0.00014 })).toBe(0.00014);
    expect(readReportedDollars({ cost: 0 })).toBe(0);
    expect(readReportedDollars({ cost: 0.01, is_byok: true, cost_details: { upstream_inference_cost: 0.2 } })).toBe(
      0.21,
    );
    expect(readReportedDollars({ cost: 0.01, is_byok: false, cost_details: { upstream_inference_cost: 0.2 } })).toBe(
      0.01,
    );
    expect(readReportedDollars({ cost_in_usd_ticks: 37_756_000 })).toBe(0.0037756);
    expect(readReportedDollars({ estimated_cost: 0.002 })).toBe(0.002);
    expect(readReportedDollars({ cost: { input_tokens_cost: 0.1, total_cost: 0.3 } })).toBe(0.3);
  });

  it.each([[{}], [{ cost: -1 }], [{ cost: "0.1" }], [{ cost: 1e9 }], [{ cost: Number.NaN }], [{ cost: null }]])(
    "is unknown for %j",
    (usage) => expect(readReportedDollars(usage)).toBeUndefined(),
  );

  it("is removed from responses and events, with everything else unchanged", () => {
    const usage = { prompt_tokens: 3, cost: 0.1, cost_details: { upstream_inference_cost: null }, is_byok: false };
    const chat = { id: "a", big: 1, choices: [{ message: { content: 'the "cost": 3' } }], usage };
    expect(JSON.parse(removeReportedCost(JSON.stringify(chat)) ?? "")).toEqual({
      ...chat,
      usage: { prompt_tokens: 3 },
    });
    const event = {
      type: "response.completed",
      response: { id: "r", usage: { input_tokens: 1, cost_in_usd_ticks: 5 } },
    };
    expect(removeReportedCost(JSON.stringify(event))).toBe(
      '{"type":"response.completed","response":{"id":"r","usage":{"input_tokens":1}}}',
    );
    const start = { type: "message_start", message: { usage: { input_tokens: 1, cost: 1 } } };
    expect(removeReportedCost(JSON.stringify(start))).not.toContain("cost");
  });

  it("leaves other responses as they are, byte by byte", () => {
    const raw = Buffer.from(
      '{ "choices": [{"message": {"content": "the \\"cost\\": 3"}}], "usage": {"prompt_tokens": 1} }',
    );
    expect(withoutReportedCost(raw)).toBe(raw);
    expect(removeReportedCost('{"cost": 1, "usage": {}}')).toBeUndefined();
    expect(removeReportedCost('{"usage": {"cost": 1}')).toBeUndefined();
  });
});
