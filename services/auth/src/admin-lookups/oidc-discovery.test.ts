import { describe, expect, it } from "vitest";
import { toWellKnownUrl } from "./oidc-discovery.ts";

describe("discovery document address", () => {
  it.each([
    ["https://id.example", "https://id.example/.well-known/openid-configuration"],
    ["https://id.example/realms/main/", "https://id.example/realms/main/.well-known/openid-configuration"],
    [" https://id.example/.well-known/openid-configuration", "https://id.example/.well-known/openid-configuration"],
  ])("returns, for %j, %j", (typed, expected) => {
    expect(toWellKnownUrl(typed)).toBe(expected);
  });

  it("is refused when it is not a web address", () => {
    for (const typed of ["", "id.example", "file:///etc/passwd", "javascript:alert(1)"])
      expect(() => toWellKnownUrl(typed)).toThrow(expect.objectContaining({ code: "oidc_discovery_failed" }));
  });
});
