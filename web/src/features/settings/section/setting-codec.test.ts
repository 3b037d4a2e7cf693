import { expect, it } from "vitest";
import { address, commaList, json, jsonList, lineList } from "./setting-codec.ts";

it("shows lists one entry per line and stores each entry once", () => {
  expect(commaList.show("a.com,b.com")).toBe("a.com\nb.com");
  expect(commaList.store(" a.com \n\nb.com,a.com，c.com\n")).toBe("a.com,b.com,c.com");
  expect(lineList.store("one\n\n two \none")).toBe("one\ntwo");
  expect(jsonList.show('["a","b"]')).toBe("a\nb");
  expect(jsonList.store("a\n b \n")).toBe('["a","b"]');
});

it("stores addresses without trailing slashes", () => {
  expect(address.store(" https://example.com/pay// ")).toBe("https://example.com/pay");
});

it("formats JSON for editing, stores it in one line, and keeps invalid JSON unchanged", () => {
  expect(json.show('{"a":1}')).toBe('{\n  "a": 1\n}');
  expect(json.store('{\n  "a": 1\n}')).toBe('{"a":1}');
  expect(json.store("{")).toBe("{");
});
