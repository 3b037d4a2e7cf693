import { describe, expect, it } from "vitest";
import { planEdit } from "./channel-edit.ts";
import { applyInput, NEW_CHANNEL } from "./channel-fields.ts";
import { createKeyRing, maskKey, splitKeys } from "./channel-keys.ts";
import type { ChannelDoc } from "./channel-model.ts";

const keyRing = createKeyRing({
  secretBox: { seal: (plain) => `box(${plain})`, open: (box) => box.slice(4, -1) },
  lookupHash: (secret) => `hash(${secret})`,
});
const off = { disabledReason: "refused", disabledAtSeconds: 7 };
const doc = (over: Partial<ChannelDoc> = {}): ChannelDoc => ({
  _id: 1,
  ...applyInput(NEW_CHANNEL, { name: "main", type: 1, models: "m" }),
  keys: keyRing.seal(["sk-one", "sk-two"]),
  status: 1,
  statusReason: "",
  statusAtSeconds: 0,
  responseTimeMs: 0,
  testedAtSeconds: 0,
  createdAtSeconds: 1,
  ...over,
});
const plan = (current: ChannelDoc, input: object, typed?: string[]) =>
  planEdit(current, input, typed && keyRing.seal(typed));

describe("channel keys", () => {
  it("splits keys at commas and new lines, except for the type whose key is one document", () => {
    expect(splitKeys(1, " a ,b\n\nc\r\na,")).toEqual(["a", "b", "c"]);
    expect(splitKeys(41, ` {"a":1,\n"b":2} `)).toEqual([`{"a":1,\n"b":2}`]);
    expect(splitKeys(1, " ,\n")).toEqual([]);
  });

  it("shows at most four characters of a key and never more than half", () => {
    expect(maskKey("sk-abcdefgh")).toBe("efgh");
    expect(maskKey("abcde")).toBe("de");
    expect(maskKey("a")).toBe("");
  });

  it("redacts keys from texts that quote them", () => {
    expect(keyRing.mask("wrong key sk-one, not sk-two", doc())).toBe("wrong key ***, not ***");
  });
});

describe("channel edit", () => {
  it("writes nothing when nothing changes, including the same keys", () => {
    expect(plan(doc(), {})).toBeUndefined();
    expect(plan(doc(), { name: "main", status: 1, models: "m" }, ["sk-one", "sk-two"])).toBeUndefined();
  });

  it("writes only what changed", () => {
    expect(plan(doc(), { name: "other", weight: 2 })).toEqual({ name: "other", weight: 2 });
  });

  it("re-enables all keys and clears the reason when the channel is enabled", () => {
    const keys = doc().keys.map((key) => ({ ...key, ...off }));
    const stopped = doc({ status: 3, statusReason: "refused", statusAtSeconds: 7, keys });
    expect(plan(stopped, { status: 1 })).toEqual({ status: 1, statusReason: "", statusAtSeconds: 0, keys: doc().keys });
  });

  it("leaves the keys' states unchanged while the channel stays enabled", () => {
    const [first, second] = doc().keys;
    const partly = doc({ keys: [{ ...first!, ...off }, second!] });
    expect(plan(partly, { status: 1, name: "other" })).toEqual({ name: "other" });
  });

  it("enables new keys", () => {
    expect(plan(doc(), {}, ["sk-new"])).toMatchObject({ keys: [{ lookupHash: "hash(sk-new)", disabledAtSeconds: 0 }] });
  });

  it("refuses to set automatically disabled, but keeps it", () => {
    expect(() => plan(doc(), { status: 3 })).toThrow(
      expect.objectContaining({ code: "channel_status_invalid" }) as Error,
    );
    expect(plan(doc({ status: 3 }), { status: 3, tag: "x" })).toEqual({ tag: "x" });
  });
});
