import { describe, expect, it } from "vitest";
import { extendPolicy } from "./content-security-policy.ts";

describe("extendPolicy", () => {
  const header = "default-src 'self';script-src 'self';object-src 'none'";

  it("adds sources to the named directives only", () => {
    expect(extendPolicy(header, { "script-src": ["'sha256-x'", "https://a.example"] })).toBe(
      "default-src 'self';script-src 'self' 'sha256-x' https://a.example;object-src 'none'",
    );
  });

  it("starts a missing directive with the site's own origin", () => {
    expect(extendPolicy(header, { "media-src": ["https://a.example"] })).toContain(
      "media-src 'self' https://a.example",
    );
  });

  it("returns the policy unchanged when nothing is added, and lists no source twice", () => {
    expect(extendPolicy(header, { "script-src": [] })).toBe(header);
    expect(extendPolicy(header, { "script-src": ["'self'"] })).toBe(header);
  });
});
