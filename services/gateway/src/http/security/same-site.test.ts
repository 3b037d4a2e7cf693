import type { IncomingHttpHeaders } from "node:http";
import { describe, expect, it } from "vitest";
import { isFromThisSite } from "./same-site.ts";

const check = (headers: IncomingHttpHeaders, serverAddress = "", isProxied = false): boolean =>
  isFromThisSite({ headers: { host: "gate.example:3000", ...headers }, serverAddress, isProxied });

describe("state change", () => {
  it("accepts requests without the headers that only browsers send", () => {
    expect(check({})).toBe(true);
  });
  it("accepts requests from the site's own pages and from the address bar", () => {
    expect(check({ "sec-fetch-site": "same-origin", origin: "http://public.example" })).toBe(true);
    expect(check({ "sec-fetch-site": "none" })).toBe(true);
    expect(check({ origin: "http://gate.example:3000" })).toBe(true);
  });
  it("refuses requests from other sites, sibling sites and opaque origins", () => {
    expect(check({ "sec-fetch-site": "cross-site" })).toBe(false);
    expect(check({ "sec-fetch-site": "same-site", origin: "http://other.gate.example" })).toBe(false);
    expect(check({ origin: "http://evil.example" })).toBe(false);
    expect(check({ origin: "http://gate.example:4000" })).toBe(false);
    expect(check({ origin: "null" })).toBe(false);
  });
  it("refuses requests for an image or other subresource, even from the site's own page", () => {
    for (const dest of ["image", "script", "style", "iframe", "video"])
      expect(check({ "sec-fetch-site": "same-origin", "sec-fetch-dest": dest })).toBe(false);
    for (const dest of ["empty", "document"])
      expect(check({ "sec-fetch-site": "same-origin", "sec-fetch-dest": dest })).toBe(true);
  });
  it("accepts the configured address, and the host that a trusted proxy reports", () => {
    expect(check({ origin: "https://site.example" }, "https://site.example/")).toBe(true);
    expect(check({ origin: "https://front.example", "x-forwarded-host": "front.example" }, "", true)).toBe(true);
    expect(check({ origin: "https://front.example", "x-forwarded-host": "front.example" })).toBe(false);
  });
});
