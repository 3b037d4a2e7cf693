import type { IncomingMessage } from "node:http";
import { optionsInForce } from "@turnpike/contract/options/options-in-force";
import { parseRanges } from "@turnpike/shared/http/address-ranges";
import { toProxyTrust } from "@turnpike/shared/http/client-address";
import { describe, expect, it } from "vitest";
import { createClientAddress } from "./client-address.ts";

const read = (
  headers: Record<string, string>,
  {
    peer = "127.0.0.1",
    options = {},
    trusted = [] as string[],
  }: { peer?: string; options?: object; trusted?: string[] },
): string => {
  const inForce = optionsInForce(Object.entries(options).map(([key, value]) => ({ key, value: String(value) })));
  return createClientAddress({
    trust: () => toProxyTrust(inForce, parseRanges(...trusted)),
    verifyProof: (address, proof) => proof === `proof of ${address}`,
  })({ headers, socket: { remoteAddress: peer } } as unknown as IncomingMessage);
};

describe("client address at the model API's own port", () => {
  const nginx = { ReverseProxyEnabled: "true", ReverseProxyProvider: "nginx" };
  const cloudflare = { ReverseProxyEnabled: "true", ReverseProxyProvider: "cloudflare" };

  it("follows the reverse-proxy options", () => {
    expect(read({ "x-real-ip": "203.0.113.7" }, { options: nginx })).toBe("203.0.113.7");
    expect(read({ "x-forwarded-for": "203.0.113.7:51234" }, { options: nginx })).toBe("203.0.113.7");
    expect(read({ "cf-connecting-ip": "203.0.113.7" }, { peer: "172.64.3.3", options: cloudflare })).toBe(
      "203.0.113.7",
    );
  });

  it("ignores headers while the options are off, and those of other peers", () => {
    const headers = { "x-real-ip": "203.0.113.7", "x-forwarded-for": "203.0.113.7", "cf-connecting-ip": "203.0.113.7" };
    expect(read(headers, {})).toBe("127.0.0.1");
    expect(read(headers, { peer: "198.51.100.1", options: nginx })).toBe("198.51.100.1");
    expect(read(headers, { peer: "198.51.100.1", options: cloudflare })).toBe("198.51.100.1");
  });

  it("reads X-Forwarded-For of the proxies that the environment names", () => {
    const headers = { "x-forwarded-for": "6.6.6.6, 203.0.113.7:51234, 192.0.2.2" };
    expect(read(headers, { peer: "::ffff:192.0.2.1", trusted: ["192.0.2.0/24"] })).toBe("203.0.113.7");
  });

  it("is what the gateway proves, whatever other headers contain", () => {
    const proved = { "x-turnpike-client-ip": "203.0.113.7", "x-turnpike-client-proof": "proof of 203.0.113.7" };
    expect(read({ ...proved, "x-real-ip": "6.6.6.6" }, { options: nginx })).toBe("203.0.113.7");
    expect(read({ ...proved, "x-turnpike-client-proof": "forged" }, {})).toBe("127.0.0.1");
  });
});
