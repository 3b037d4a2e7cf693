import { describe, expect, it } from "vitest";
import { wellKnownOf } from "./oidc-discovery.ts";

describe("the address of a discovery document", () => {
  it.each([
    ["https://id.example", "https://id.example/.well-known/openid-configuration"],
    ["https://id.example/realms/main/", "https://id.example/realms/main/.well-known/openid-configuration"],
    [" https://id.example/.well-known/openid-configuration", "https://id.example/.well-known/openid-configuration"],
  ])("of %j is %j", (typed, expected) => {
    expect(wellKnownOf(typed)).toBe(expected);
  });

  it("is refused when it is no web address", () => {
    for (const typed of ["", "id.example", "file:///etc/passwd", "javascript:alert(1)"])
      expect(() => wellKnownOf(typed)).toThrow(expect.objectContaining({ code: "oidc_discovery_failed" }));
  });
});
