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

describe("the keys of a channel", () => {
  it("are separated by commas and new lines, but for the type whose key is one document", () => {
    expect(splitKeys(1, " a ,b\n\nc\r\na,")).toEqual(["a", "b", "c"]);
    expect(splitKeys(41, ` {"a":1,\n"b":2} `)).toEqual([`{"a":1,\n"b":2}`]);
    expect(splitKeys(1, " ,\n")).toEqual([]);
  });

  it("show at most four characters and never more than half", () => {
    expect(maskKey("sk-abcdefgh")).toBe("efgh");
    expect(maskKey("abcde")).toBe("de");
    expect(maskKey("a")).toBe("");
  });

  it("are taken out of texts that quote them", () => {
    expect(keyRing.mask("wrong key sk-one, not sk-two", doc())).toBe("wrong key ***, not ***");
  });
});

describe("an edit", () => {
  it("writes nothing when nothing changes, the same keys included", () => {
    expect(plan(doc(), {})).toBeUndefined();
    expect(plan(doc(), { name: "main", status: 1, models: "m" }, ["sk-one", "sk-two"])).toBeUndefined();
  });

  it("writes only what changed", () => {
    expect(plan(doc(), { name: "other", weight: 2 })).toEqual({ name: "other", weight: 2 });
  });

  it("puts all keys back in use when the channel is switched on, and forgets the reason", () => {
    const keys = doc().keys.map((key) => ({ ...key, ...off }));
    const stopped = doc({ status: 3, statusReason: "refused", statusAtSeconds: 7, keys });
    expect(plan(stopped, { status: 1 })).toEqual({ status: 1, statusReason: "", statusAtSeconds: 0, keys: doc().keys });
  });

  it("leaves the keys' states alone while the channel stays on", () => {
    const [first, second] = doc().keys;
    const partly = doc({ keys: [{ ...first!, ...off }, second!] });
    expect(plan(partly, { status: 1, name: "other" })).toEqual({ name: "other" });
  });

  it("starts new keys in use", () => {
    expect(plan(doc(), {}, ["sk-new"])).toMatchObject({ keys: [{ lookupHash: "hash(sk-new)", disabledAtSeconds: 0 }] });
  });

  it("refuses to set automatically disabled, but lets it stay", () => {
    expect(() => plan(doc(), { status: 3 })).toThrow(
      expect.objectContaining({ code: "channel_status_invalid" }) as Error,
    );
    expect(plan(doc({ status: 3 }), { status: 3, tag: "x" })).toEqual({ tag: "x" });
  });
});
