import { describe, expect, it } from "vitest";
import { parseDisplayName, parseGroup, parsePassword, readUsername, toNameKey } from "./user-input.ts";

describe("user input", () => {
  it.each([
    ["  alice ", "alice"],
    ["张三", "张三"],
    ["𠮷".repeat(20), "𠮷".repeat(20)],
    ["a".repeat(20), "a".repeat(20)],
    ["a".repeat(21), undefined],
    ["   ", undefined],
    ["", undefined],
    ["al\u0000ice", undefined],
    ["al\u200Bice", undefined],
  ])("reads the user name %j as %j", (raw, expected) => {
    expect(readUsername(raw)).toBe(expected);
  });

  it("compares names without case and width", () => {
    expect(toNameKey("Ａlice")).toBe(toNameKey("aLICE"));
  });

  it.each([
    ["1234567", "password_too_short"],
    ["密码密码密码密", "password_too_short"],
    ["a".repeat(21), "password_too_long"],
  ])("refuses the password %j with %s", (password, code) => {
    expect(() => parsePassword(password)).toThrow(expect.objectContaining({ code }));
  });

  it("leaves a password as it was typed", () => {
    expect(parsePassword(" spaces 8 ")).toBe(" spaces 8 ");
  });

  it("uses the user name for an empty display name and limits long ones", () => {
    expect(parseDisplayName(" ", "alice")).toBe("alice");
    expect(() => parseDisplayName("x".repeat(21), "alice")).toThrow(
      expect.objectContaining({ code: "display_name_too_long" }),
    );
  });

  it("refuses a group without a name", () => {
    expect(() => parseGroup("  ")).toThrow(expect.objectContaining({ code: "group_name_invalid" }));
  });
});
