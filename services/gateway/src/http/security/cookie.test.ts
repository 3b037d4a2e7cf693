import { describe, expect, it } from "vitest";
import { endedSessionCookie, readSessionCookie, sessionCookie } from "./cookie.ts";

describe("the session cookie", () => {
  it("is found among other cookies", () => {
    expect(readSessionCookie("theme=dark; session=Ab-_9; lang=zh")).toBe("Ab-_9");
  });
  it("is undefined when absent, empty, of a similar name, malformed or far too long", () => {
    expect(readSessionCookie(undefined)).toBeUndefined();
    expect(readSessionCookie("session=")).toBeUndefined();
    expect(readSessionCookie("my_session=abc; sessions=abc")).toBeUndefined();
    expect(readSessionCookie("session=a b")).toBeUndefined();
    expect(readSessionCookie(`session=${"a".repeat(300)}`)).toBeUndefined();
  });
  it("is hidden from scripts and other sites, and Secure on an https site only", () => {
    expect(sessionCookie("abc", true)).toBe("session=abc; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure");
    expect(sessionCookie("abc", false)).not.toContain("Secure");
    expect(endedSessionCookie(false)).toContain("Max-Age=0");
  });
});
