import { describe, expect, it } from "vitest";
import { dropInvisible, splitTypedList } from "./typed-text.ts";

describe("typed list", () => {
  it.each([
    "a,b",
    "a，b",
    "a;b",
    "a；b",
    "a、b",
    "a\nb",
    "a\r\nb",
    " a , b ,",
    "a,,b,a",
    "\u200Ba\uFEFF,\u2060b\u200D",
  ])("has two names in %j", (text) => expect(splitTypedList(text)).toEqual(["a", "b"]));

  it("keeps what belongs to model names", () => {
    const names = ["org/model-1.5:free", "gpt 4o", "arn:aws:bedrock:us-east-1::model/a_b", "模型（测试）"];
    expect(splitTypedList(names.join())).toEqual(names);
  });
});

describe("typed code", () => {
  it("loses invisible characters and surrounding blanks only", () => {
    expect(dropInvisible(" \u200Bab\u00ADcd\uFEFF 12\u200E ")).toBe("abcd 12");
  });
});
