import { describe, expect, it } from "vitest";
import { patchTopLevel, removeTopLevel } from "./body-patch.ts";

describe("removeTopLevel", () => {
  it.each([
    ['{"max_tokens":0,"x":1.0}', ["max_tokens"], '{"x":1.0}'],
    ['{ "x" : 12345678901234567890 , "n" : 0 }', ["n", "m"], '{"x": 12345678901234567890 }'],
    ['{"n":0}', ["n"], "{}"],
  ])("removes only the named fields: %s", (text, names, expected) => {
    expect(removeTopLevel(text, names)).toBe(expected);
  });
});

describe("patchTopLevel", () => {
  it.each([
    ['{"model":"a","x":1.0}', { model: "b" }, '{"model":"b","x":1.0}'],
    ['{ "x" : {"model":"inner"} , "model" : "a" }', { model: "b" }, '{ "x" : {"model":"inner"} , "model" :"b"}'],
    ['{"t":"a \\" , \\"model\\":\\\\","model":"a"}', { model: "b" }, '{"t":"a \\" , \\"model\\":\\\\","model":"b"}'],
    ['{"big":12345678901234567890,"model":"a"}', { model: "b" }, '{"big":12345678901234567890,"model":"b"}'],
    [
      '{"model":"a"}',
      { stream_options: { include_usage: true } },
      '{"stream_options":{"include_usage":true},"model":"a"}',
    ],
    ["{}", { a: 1 }, '{"a":1}'],
    ['{"model":"a","m":[1,[2,{"k":","}]],"n":null}', { n: 2, model: "b" }, '{"model":"b","m":[1,[2,{"k":","}]],"n":2}'],
  ])("changes only the named values: %s", (text, values, expected) => {
    const patched = patchTopLevel(text, values);
    expect(patched).toBe(expected);
    expect(JSON.parse(patched)).toEqual({ ...JSON.parse(text), ...values });
  });

  it("finds a name written with escapes", () => {
    expect(JSON.parse(patchTopLevel('{"mod\\u0065l":"a"}', { model: "b" }))).toEqual({ model: "b" });
  });
});
