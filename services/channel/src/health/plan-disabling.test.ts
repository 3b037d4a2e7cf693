import { describe, expect, it } from "vitest";
import { applyInput, NEW_CHANNEL } from "../channels/channel-fields.ts";
import type { ChannelDoc, ChannelKey } from "../channels/channel-model.ts";
import { planDisabling } from "./plan-disabling.ts";

const NOW_MS = 1_700_000_000_000;
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
  keysMovedAtMs: 0,
  status: 1,
  statusReason: "",
  statusAtSeconds: 0,
  responseTimeMs: 0,
  testedAtSeconds: 0,
  createdAtSeconds: 1,
  ...over,
});
const plan = (doc: ChannelDoc, keyIndex: number, nowMs = NOW_MS) =>
  planDisabling(doc, { keyIndex, reason: "refused" }, nowMs);
const inUse = (keys: readonly ChannelKey[] = []) =>
  keys.filter(({ disabledAtSeconds }) => disabledAtSeconds === 0).map(({ box }) => box);

describe("an unfit key", () => {
  it("goes out of use alone while others are left", () => {
    const write = plan(channel(), 1);
    expect(inUse(write?.keys)).toEqual(["a", "c"]);
    expect(write).toMatchObject({ status: 1, statusReason: "", statusAtSeconds: 0 });
    expect(write?.keys[1]).toMatchObject({ disabledReason: "refused", disabledAtSeconds: NOW_MS / 1000 });
  });

  it("is counted among the keys in use, as the routing snapshot lists them", () => {
    expect(inUse(plan(channel({ keys: [key("a", 5), key("b"), key("c")] }), 0)?.keys)).toEqual(["c"]);
  });

  it("disables the channel when it was the last one", () => {
    expect(plan(channel({ keys: [key("a", 5), key("b")] }), 0)).toMatchObject({
      status: 3,
      statusReason: "refused",
      statusAtSeconds: NOW_MS / 1000,
    });
  });

  it("is not looked for while relays may still count by the list before", () => {
    const after = plan(channel(), 0);
    const moved = channel(after);
    expect(after?.keysMovedAtMs).toBe(NOW_MS);
    expect(plan(moved, 0, NOW_MS + 1_000)).toBeUndefined();
    expect(inUse(plan(moved, 0, NOW_MS + 6_000)?.keys)).toEqual(["c"]);
  });

  it("at the end of the list moves no other, so that the next report counts at once", () => {
    const after = plan(channel(), 2);
    expect(after?.keysMovedAtMs).toBe(0);
    expect(inUse(plan(channel(after), 1, NOW_MS + 1)?.keys)).toEqual(["a"]);
  });

  it.each([
    ["the channel is off", channel({ status: 2 }), 0],
    ["it may not be disabled automatically", channel({ autoBan: false }), 0],
    ["the index is none of its keys", channel(), 3],
  ])("changes nothing when %s", (_, doc, index) => {
    expect(plan(doc, index)).toBeUndefined();
  });
});
