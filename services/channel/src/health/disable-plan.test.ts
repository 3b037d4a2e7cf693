import { describe, expect, it } from "vitest";
import { applyInput, NEW_CHANNEL } from "../channels/channel-fields.ts";
import type { ChannelDoc, ChannelKey } from "../channels/channel-model.ts";
import { planDisable } from "./disable-plan.ts";

const NOW_SECONDS = 1_700_000_000;
const key = (name: string, disabledAtSeconds = 0): ChannelKey => ({
  box: name,
  lookupHash: name,
  hint: name,
  disabledReason: "",
  disabledAtSeconds,
});
const channel = (over: Partial<ChannelDoc> = {}): ChannelDoc => ({
  _id: 1,
  ...applyInput(NEW_CHANNEL, { name: "main", type: 1, models: "m" }),
  keys: [key("a"), key("b"), key("c")],
  status: 1,
  statusReason: "",
  statusAtSeconds: 0,
  responseTimeMs: 0,
  testedAtSeconds: 0,
  createdAtSeconds: 1,
  ...over,
});
const plan = (doc: ChannelDoc, keyHash: string) => planDisable(doc, { keyHash, reason: "refused" }, NOW_SECONDS);
const inUse = (keys: readonly ChannelKey[] = []) =>
  keys.filter(({ disabledAtSeconds }) => disabledAtSeconds === 0).map(({ box }) => box);

describe("unusable key", () => {
  it("is disabled alone while others are left", () => {
    const write = plan(channel(), "b");
    expect(inUse(write?.keys)).toEqual(["a", "c"]);
    expect(write).toMatchObject({ status: 1, statusReason: "", statusAtSeconds: 0 });
    expect(write?.keys[1]).toMatchObject({ disabledReason: "refused", disabledAtSeconds: NOW_SECONDS });
  });

  it("disables the channel when it was the last one", () => {
    expect(plan(channel({ keys: [key("a", 5), key("b")] }), "b")).toMatchObject({
      status: 3,
      statusReason: "refused",
      statusAtSeconds: NOW_SECONDS,
    });
  });

  it("disables the channel without changing other keys when any of them would have failed", () => {
    const doc = channel({ keys: [key("a", 5), key("b"), key("c")] });
    const whole = (keyHash: string) => planDisable(doc, { keyHash, reason: "HTTP 500", isWhole: true }, NOW_SECONDS);
    expect(whole("b")).toMatchObject({ status: 3, statusReason: "HTTP 500", statusAtSeconds: NOW_SECONDS });
    expect(inUse(whole("b")?.keys)).toEqual(["b", "c"]);
    expect(whole("a")).toBeUndefined();
  });

  it("takes effect at once after another was disabled", () => {
    expect(inUse(plan(channel(plan(channel(), "a")), "b")?.keys)).toEqual(["c"]);
  });

  it.each([
    ["the channel is off", channel({ status: 2 }), "a"],
    ["it may not be disabled automatically", channel({ autoBan: false }), "a"],
    ["the key does not exist", channel(), "d"],
    ["the key is out of use already", channel({ keys: [key("a", 5), key("b")] }), "a"],
  ])("changes nothing when %s", (_, doc, keyHash) => {
    expect(plan(doc, keyHash)).toBeUndefined();
  });
});
