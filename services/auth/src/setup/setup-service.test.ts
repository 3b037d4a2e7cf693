import { describe, expect, it } from "vitest";
import { readRootForm } from "./setup-service.ts";

const form = (username: string, password: string, confirmPassword = password) => ({
  username,
  password,
  confirmPassword,
  selfUseModeEnabled: false,
  demoSiteEnabled: false,
});

describe("setup form", () => {
  it.each([
    [form(" ", "12345678"), "username_required"],
    [form("x".repeat(21), "12345678"), "username_invalid"],
    [form("root", "1234567"), "password_too_short"],
    [form("root", "1".repeat(21)), "password_too_long"],
    [form("root", "12345678", "12345679"), "passwords_differ"],
  ])("refuses %j with %s", (sent, code) => {
    expect(() => readRootForm(sent)).toThrow(expect.objectContaining({ code }));
  });

  it("returns the trimmed name and the password as typed", () => {
    expect(readRootForm(form(" root ", "pass word "))).toEqual({ username: "root", password: "pass word " });
  });
});
