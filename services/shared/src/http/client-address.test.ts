import { describe, expect, it } from "vitest";
import { parseRanges } from "./address-ranges.ts";
import { clientAddress, type ProxyTrust } from "./client-address.ts";

const trust = (overrides: Partial<ProxyTrust> = {}): ProxyTrust => ({
  trustedProxies: [],
  provider: undefined,
  ...overrides,
});
const proxies = parseRanges("10.0.0.0/8", "192.0.2.1");

describe("client address", () => {
  it("is the peer's address, whatever an untrusted peer claims", () => {
    const headers = { "x-forwarded-for": "1.1.1.1", "x-real-ip": "1.1.1.1", "cf-connecting-ip": "1.1.1.1" };
    expect(clientAddress("203.0.113.9", headers, trust())).toEqual({ address: "203.0.113.9", isProxied: false });
    expect(clientAddress("203.0.113.9", headers, trust({ trustedProxies: proxies })).address).toBe("203.0.113.9");
    expect(clientAddress("203.0.113.9", headers, trust({ provider: "nginx" })).address).toBe("203.0.113.9");
    expect(clientAddress("203.0.113.9", headers, trust({ provider: "cloudflare" })).address).toBe("203.0.113.9");
  });
  it("is plain IPv4 when it arrives as IPv4-mapped IPv6", () => {
    expect(clientAddress("::ffff:203.0.113.9", {}, trust()).address).toBe("203.0.113.9");
  });
  it("is the last X-Forwarded-For entry that a trusted proxy did not add", () => {
    const headers = { "x-forwarded-for": "6.6.6.6, 198.51.100.4, 10.1.1.1" };
    expect(clientAddress("192.0.2.1", headers, trust({ trustedProxies: proxies }))).toEqual({
      address: "198.51.100.4",
      isProxied: true,
    });
  });
  it("stops at an entry that is not an address", () => {
    const headers = { "x-forwarded-for": "198.51.100.4, nonsense, 10.1.1.1" };
    expect(clientAddress("192.0.2.1", headers, trust({ trustedProxies: proxies })).address).toBe("10.1.1.1");
  });
  it("is the proxy's own when the proxy forwards no address", () => {
    expect(clientAddress("192.0.2.1", {}, trust({ trustedProxies: proxies })).address).toBe("192.0.2.1");
  });
  it("follows the reverse-proxy option for a local proxy", () => {
    const nginx = trust({ provider: "nginx" });
    expect(clientAddress("127.0.0.1", { "x-real-ip": "198.51.100.4" }, nginx).address).toBe("198.51.100.4");
    expect(clientAddress("127.0.0.1", { "x-forwarded-for": "6.6.6.6, 198.51.100.4" }, nginx).address).toBe(
      "198.51.100.4",
    );
    expect(clientAddress("127.0.0.1", { "x-real-ip": "rubbish" }, nginx).address).toBe("127.0.0.1");
  });
  it.each([
    ["203.0.113.7:51234", "203.0.113.7"],
    ["[2001:db8::7]:51234", "2001:db8::7"],
    ["[2001:db8::7]", "2001:db8::7"],
    ['"[2001:db8::7]:443"', "2001:db8::7"],
    ["2001:db8::7", "2001:db8::7"],
    ["[::ffff:203.0.113.7]:80", "203.0.113.7"],
    ["203.0.113.7:", "192.0.2.1"],
    ["203.0.113.7:51234:1", "192.0.2.1"],
  ])("is read from the entry %s", (entry, address) => {
    const headers = { "x-forwarded-for": `6.6.6.6, ${entry}` };
    expect(clientAddress("192.0.2.1", headers, trust({ trustedProxies: proxies })).address).toBe(address);
    expect(
      clientAddress("192.0.2.1", { "x-forwarded-for": `${entry}, 10.1.1.1:80` }, trust({ trustedProxies: proxies }))
        .address,
    ).toBe(address === "192.0.2.1" ? "10.1.1.1" : address);
    expect(clientAddress("127.0.0.1", { "x-real-ip": entry }, trust({ provider: "nginx" })).address).toBe(
      address === "192.0.2.1" ? "127.0.0.1" : address,
    );
  });
  it("trusts Cloudflare from its own addresses", () => {
    const headers = { "cf-connecting-ip": "2001:db8::7" };
    expect(clientAddress("172.64.3.3", headers, trust({ provider: "cloudflare" }))).toEqual({
      address: "2001:db8::7",
      isProxied: true,
    });
  });
});
