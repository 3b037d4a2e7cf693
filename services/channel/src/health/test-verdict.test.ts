import { describe, expect, it } from "vitest";
import { applyInput, NEW_CHANNEL } from "../channels/channel-fields.ts";
import type { ChannelDoc, ChannelKey } from "../channels/channel-model.ts";
import { isProbeDue, judgeTest, planRevival, getSlowThresholdMs } from "./test-verdict.ts";

const NOW_SECONDS = 1_700_000_000;
const key = (name: string, disabledAtSeconds = 0): ChannelKey => ({
  box: name,
  lookupHash: name,
  hint: name,
  disabledReason: disabledAtSeconds > 0 ? "refused" : "",
  disabledAtSeconds,
});
const channel = (over: Partial<ChannelDoc> = {}): ChannelDoc => ({
  _id: 1,
  ...applyInput(NEW_CHANNEL, { name: "main", type: 1, models: "m" }),
  keys: [key("a"), key("b")],
  status: 1,
  statusReason: "",
  statusAtSeconds: 0,
  responseTimeMs: 0,
  testedAtSeconds: 0,
  createdAtSeconds: 1,
  ...over,
});
const verdict = { success: true, isUnfit: false, timeMs: 100, message: "", keyHash: "a" };
const rules = { slowAfterMs: 5_000, mayDisable: false, mayEnable: false, nowSeconds: NOW_SECONDS };

describe("test of an enabled channel", () => {
  it("disables it when it was too slow, only where the option allows it", () => {
    const mayDisable = { ...rules, mayDisable: true };
    expect(judgeTest(channel(), { ...verdict, timeMs: 5_001 }, rules)).toBeUndefined();
    expect(judgeTest(channel(), { ...verdict, timeMs: 5_001 }, mayDisable)).toEqual({
      status: 3,
      statusReason: "response time 5.00 s > 5.00 s",
      statusAtSeconds: NOW_SECONDS,
    });
    expect(judgeTest(channel({ autoBan: false }), { ...verdict, timeMs: 9_000 }, mayDisable)).toBeUndefined();
    expect(judgeTest(channel({ status: 2 }), { ...verdict, timeMs: 9_000 }, mayDisable)).toBeUndefined();
  });

  it("disables an unusable key only where the option allows it", () => {
    const unfit = { ...verdict, success: false, isUnfit: true, message: "refused" };
    expect(judgeTest(channel(), unfit, rules)).toBeUndefined();
    const write = judgeTest(channel(), unfit, { ...rules, mayDisable: true });
    expect(write?.keys?.map((each) => each.disabledAtSeconds)).toEqual([NOW_SECONDS, 0]);
    expect(judgeTest(channel({ keys: [key("a")] }), unfit, { ...rules, mayDisable: true })?.status).toBe(3);
  });

  it("changes nothing after a transient failure", () => {
    const failed = { ...verdict, success: false, message: "HTTP 500" };
    expect(judgeTest(channel(), failed, { ...rules, mayDisable: true })).toBeUndefined();
  });

  it("has no time limit at a threshold of 0", () => {
    expect([getSlowThresholdMs(0), getSlowThresholdMs(1.5)]).toEqual([10_000_000, 1_500]);
  });
});

describe("test of an automatically disabled channel", () => {
  const off = channel({ status: 3, statusReason: "refused", statusAtSeconds: 5, keys: [key("a", 5), key("b", 5)] });
  const mayEnable = { ...rules, mayEnable: true };

  it("re-enables it with the key that worked, and only where allowed", () => {
    expect(judgeTest(off, verdict, rules)).toBeUndefined();
    const write = judgeTest(off, verdict, mayEnable);
    expect(write).toMatchObject({ status: 1, statusReason: "", statusAtSeconds: 0 });
    expect(write?.keys?.map((each) => each.disabledAtSeconds)).toEqual([0, 5]);
  });

  it("does not re-enable it when it failed or was too slow", () => {
    expect(judgeTest(off, { ...verdict, success: false }, mayEnable)).toBeUndefined();
    expect(judgeTest(off, { ...verdict, timeMs: 5_001 }, mayEnable)).toBeUndefined();
  });
});

describe("recovered key", () => {
  it("is re-enabled alone in an enabled channel", () => {
    const partly = channel({ keys: [key("a", 5), key("b")] });
    expect(planRevival(partly, ["a"])).toEqual({ keys: [key("a"), key("b")] });
    expect(planRevival(partly, [])).toBeUndefined();
    expect(planRevival(channel({ status: 2, keys: [key("a", 5)] }), ["a"])).toBeUndefined();
  });
});

describe("probe", () => {
  const off = (testedAtSeconds: number) => channel({ status: 3, statusAtSeconds: 1_000, testedAtSeconds });
  it.each([
    [1_059, 0, false],
    [1_060, 0, true],
    [1_119, 1_060, false],
    [1_120, 1_060, true],
    [1_239, 1_120, false],
    [1_240, 1_120, true],
    [11_799, 10_000, false],
    [11_800, 10_000, true],
  ])("reports whether a test at %d after an attempt at %d is due: %s", (nowSeconds, testedAtSeconds, isDue) => {
    expect(isProbeDue(off(testedAtSeconds), nowSeconds)).toBe(isDue);
  });
});
