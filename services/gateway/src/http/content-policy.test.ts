import { describe, expect, it } from "vitest";
import { extendPolicy } from "./content-policy.ts";

describe("a content-security policy", () => {
  const header = "default-src 'self';script-src 'self';object-src 'none'";

  it("takes more sources in the directives named, and no others", () => {
    expect(extendPolicy(header, { "script-src": ["'sha256-x'", "https://a.example"] })).toBe(
      "default-src 'self';script-src 'self' 'sha256-x' https://a.example;object-src 'none'",
    );
  });

  it("begins a directive it lacks with our own origin", () => {
    expect(extendPolicy(header, { "media-src": ["https://a.example"] })).toContain(
      "media-src 'self' https://a.example",
    );
  });

  it("stays as it is when nothing is added, and names no source twice", () => {
    expect(extendPolicy(header, { "script-src": [] })).toBe(header);
    expect(extendPolicy(header, { "script-src": ["'self'"] })).toBe(header);
  });
});
