import { createStateSeal } from "@turnpike/shared/crypto/state-seal";
import { describe, expect, it } from "vitest";
import { asObject } from "../../core/chat/json.ts";
import { openInput, writeItem } from "./opened-input.ts";
import { createResponseSeal } from "./sealed-responses.ts";
import { createStateCodec } from "./state-codec.ts";

const codec = createStateCodec(createStateSeal("a master key of sixteen or more"));
const choice = { channel: { id: 300 }, key: "sk-up" } as unknown as Parameters<typeof createResponseSeal>[2];
const owner = { channelId: 300, keyName: codec.getKeyName("sk-up") };
const USER = 1_000_000_007;

describe("sealed id", () => {
  it.each([`resp_${"0a".repeat(25)}`, "msg_ab12-X", "3f2c", "chatcmpl-1", "resp_é", "RS_1", "a_b_c", "abc_"])(
    "keeps its prefix and opens to the original with its account: %s",
    (id) => {
      const sealed = codec.sealId(USER, owner, id);
      expect(codec.openId(USER, sealed)).toEqual({ owner, value: id });
      expect(codec.openId(USER + 1, sealed)).toBeUndefined();
      const [shown] = sealed.split("_");
      expect(shown).toBe(/^([a-z]+)_./.exec(id)?.[1] ?? "id");
    },
  );

  it("is about as long as the original, and not valid under another prefix", () => {
    const sealed = codec.sealId(7, owner, `resp_${"0a".repeat(25)}`);
    expect(sealed.length).toBeLessThanOrEqual(80);
    expect(codec.openId(7, sealed.replace("resp_", "msg_"))).toBeUndefined();
  });
});

describe("sealed encrypted content", () => {
  it("opens unchanged, and not with other content behind the header", () => {
    const sealed = codec.sealContent(USER, owner, "gAAAA.x.y==");
    expect(codec.openContent(USER, sealed)).toEqual({ owner, value: "gAAAA.x.y==" });
    const others = [`${sealed}=`, sealed.slice(0, -1), sealed.slice(4), "tps.", "tps..", "gAAAA", `tps.x.${sealed}`];
    expect(others.filter((other) => codec.openContent(USER, other))).toEqual([]);
    expect(codec.openContent(1, sealed)).toBeUndefined();
  });
});

describe("sealed summary", () => {
  it("opens for its user alone, and not when it was altered, cut, or sealed as something else", () => {
    const summary = "The plan: déjà vu ✓";
    const sealed = codec.sealSummary(USER, summary);
    expect(sealed).not.toContain("plan");
    expect(codec.openSummary(USER, sealed)).toBe(summary);
    expect(codec.openSummary(USER + 1, sealed)).toBeUndefined();
    const others = [
      `${sealed}A`,
      sealed.slice(0, -1),
      sealed.slice(4),
      "tpc.",
      codec.sealContent(USER, owner, summary),
    ];
    expect(others.filter((other) => codec.openSummary(USER, other) !== undefined)).toEqual([]);
    expect(codec.openContent(USER, sealed)).toBeUndefined();
  });
});

describe("response of an account", () => {
  const message = { id: "msg_1", type: "message", content: [{ type: "output_text", text: 'say "item_id":"msg_1"' }] };
  const reasoning = { id: "rs_1", type: "reasoning", encrypted_content: "gAAAA" };
  const response = { id: "resp_1", previous_response_id: "resp_0", output: [reasoning, message], big: 1 };

  it("has sealed ids everywhere and is otherwise unchanged; its items are restored unchanged", () => {
    const seal = createResponseSeal(codec, USER, choice);
    const sealed = asObject(JSON.parse(seal.body(Buffer.from(JSON.stringify(response))).toString())) ?? {};
    expect(codec.openId(USER, String(sealed["id"]))?.value).toBe("resp_1");
    expect(codec.openId(USER, String(sealed["previous_response_id"]))?.value).toBe("resp_0");
    const opened = openInput(codec, USER, { input: sealed["output"] });
    expect(opened.flatMap((item) => writeItem(item, owner))).toEqual(response.output);
    // For another account: complete without ids and without reasoning that it cannot read.
    const { id: _id, ...plain } = message;
    expect(opened.flatMap((item) => writeItem(item, undefined))).toEqual([plain]);
  });

  it("has the same ids in every event of its stream", () => {
    const seal = createResponseSeal(codec, USER, choice);
    const send = (data: object) => {
      const text = seal.event({ event: "x", data: JSON.stringify(data) }).toString();
      return asObject(JSON.parse(text.slice(text.indexOf("data: ") + 6))) ?? {};
    };
    const added = asObject(send({ item: message })["item"])?.["id"];
    expect(send({ item_id: "msg_1", delta: '"item_id":"msg_1"' })).toEqual({
      item_id: added,
      delta: '"item_id":"msg_1"',
    });
    expect(asObject(send({ response })["response"])?.["output"]).toMatchObject([{}, { id: added }]);
  });
});
