import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { signEpay, isEpaySigned } from "./epay-signature.ts";

const md5 = (text: string): string => createHash("md5").update(text).digest("hex");

describe("Epay signature", () => {
  it.each([
    ["orders the names", { b: "2", a: "1" }, "a=1&b=2KEY"],
    ["puts capitals before small letters, as bytes are", { a: "1", B: "2" }, "B=2&a=1KEY"],
    ["leaves out what is empty", { a: "", b: "2" }, "b=2KEY"],
    ["leaves itself out", { a: "1", sign: "x", sign_type: "MD5" }, "a=1KEY"],
    [
      "encodes nothing",
      { url: "https://a.example/?q=1&r=2", name: "充值 1" },
      "name=充值 1&url=https://a.example/?q=1&r=2KEY",
    ],
  ])("%s", (_, fields, text) => {
    expect(signEpay(fields, "KEY")).toBe(md5(text));
  });

  it("is accepted only with the right key, and never with none", () => {
    const fields = { out_trade_no: "USR1", money: "7.30" };
    const sign = signEpay(fields, "KEY");
    expect(isEpaySigned({ ...fields, sign }, "KEY")).toBe(true);
    expect(isEpaySigned({ ...fields, sign: sign.toUpperCase() }, "KEY")).toBe(true);
    expect(isEpaySigned({ ...fields, sign }, "OTHER")).toBe(false);
    expect(isEpaySigned({ ...fields, money: "7.31", sign }, "KEY")).toBe(false);
    expect(isEpaySigned({ ...fields, extra: "x", sign }, "KEY")).toBe(false);
    expect(isEpaySigned(fields, "KEY")).toBe(false);
    expect(isEpaySigned({ ...fields, sign: signEpay(fields, "") }, "")).toBe(false);
  });
});
