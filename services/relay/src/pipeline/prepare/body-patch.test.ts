import { describe, expect, it } from "vitest";
import { patchTopLevel } from "./body-patch.ts";

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

  it("finds a name written with escapes, and the last value of a repeated name", () => {
    expect(JSON.parse(patchTopLevel('{"mod\\u0065l":"a"}', { model: "b" }))).toEqual({ model: "b" });
    expect(JSON.parse(patchTopLevel('{"model":"x","model":"a"}', { model: "b" }))).toEqual({ model: "b" });
  });
});
