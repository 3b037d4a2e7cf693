import ipaddr from "ipaddr.js";
import { z } from "zod";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** A block of addresses; a single address is a block of one. */
export type AddressRange = { readonly start: Address; readonly prefixLength: number };

/** The address in canonical form (an IPv4-mapped IPv6 address as IPv4); undefined for text that is not an address. */
export function readAddress(text: string): Address | undefined {
  const trimmed = text.trim();
  return ipaddr.isValid(trimmed) ? ipaddr.process(trimmed) : undefined;
}

const WITH_PORT = /^\[(.+)\](?::\d+)?$|^([\d.]+):\d+$/;

/** An address as proxies write it into headers: some add the client's port, and brackets around IPv6. */
export function readForwardedAddress(text: string): Address | undefined {
  const written = text.trim().replace(/^"(.*)"$/, "$1");
  const [, bracketed, plain] = WITH_PORT.exec(written) ?? [];
  return readAddress(bracketed ?? plain ?? written);
}

function readRange(text: string): AddressRange | undefined {
  if (text.includes("/")) {
    if (!ipaddr.isValidCIDR(text)) return undefined;
    const [start, prefixLength] = ipaddr.parseCIDR(text);
    return { start, prefixLength };
  }
  const start = readAddress(text);
  return start && { start, prefixLength: start.kind() === "ipv4" ? 32 : 128 };
}

/** Parses an address or a CIDR; undefined for other text. */
const addressRange = z.string().transform((text, context) => {
  const range = readRange(text);
  if (range) return range;
  context.addIssue({ code: "custom", message: "must be a comma-separated list of addresses or CIDRs" });
  return z.NEVER;
});

/** TRUSTED_PROXIES: comma-separated addresses and CIDRs. */
export const trustedProxies = z
  .string()
  .default("")
  .transform((text) => text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()])))
  .pipe(z.array(addressRange));

export const parseRanges = (...texts: readonly string[]): AddressRange[] => z.array(addressRange).parse(texts);

/** Whether the address is in one of the blocks. */
export const isInRanges = (address: Address, ranges: readonly AddressRange[]): boolean =>
  ranges.some(({ start, prefixLength }) => start.kind() === address.kind() && address.match(start, prefixLength));

/** The addresses of this machine and of private networks. */
export const PRIVATE_RANGES = parseRanges(
  "127.0.0.0/8",
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "169.254.0.0/16",
  "::1",
  "fc00::/7",
  "fe80::/10",
);

/** The addresses from which Cloudflare calls origin servers, from the list that Cloudflare publishes. */
export const CLOUDFLARE_RANGES = parseRanges(
  "173.245.48.0/20",
  "103.21.244.0/22",
  "103.22.200.0/22",
  "103.31.4.0/22",
  "141.101.64.0/18",
  "108.162.192.0/18",
  "190.93.240.0/20",
  "188.114.96.0/20",
  "197.234.240.0/22",
  "198.41.128.0/17",
  "162.158.0.0/15",
  "104.16.0.0/13",
  "104.24.0.0/14",
  "172.64.0.0/13",
  "131.0.72.0/22",
  "2400:cb00::/32",
  "2606:4700::/32",
  "2803:f800::/32",
  "2405:b500::/32",
  "2405:8100::/32",
  "2a06:98c0::/29",
  "2c0f:f248::/32",
);
