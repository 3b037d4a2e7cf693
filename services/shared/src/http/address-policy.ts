import ipaddr from "ipaddr.js";
import { z } from "zod";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = { readonly start: Address; readonly bits: number };

/** The NAT64 prefix through which IPv6-only networks reach IPv4: the last 32 bits are the true address. */
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96") as [ipaddr.IPv6, number];

/** The address in its plain form (IPv4 inside IPv6 as IPv4), undefined for text that is none. */
function readAddress(text: string): Address | undefined {
  const bare = text.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  if (!ipaddr.isValid(bare)) return undefined;
  const address = ipaddr.process(bare);
  if (address.kind() !== "ipv6" || !address.match(NAT64)) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(12));
}

function readNetwork(text: string): Network | undefined {
  if (ipaddr.isValidCIDR(text)) {
    const [start, bits] = ipaddr.parseCIDR(text);
    return { start, bits };
  }
  const start = readAddress(text);
  return start && { start, bits: start.kind() === "ipv4" ? 32 : 128 };
}

/** PRIVATE_ADDRESS_ALLOWLIST: addresses and CIDRs with commas between, each of which this service may call though it is private. */
export const addressAllowlist = z
  .string()
  .default("")
  .transform((text, context) => {
    const parts = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
    for (const part of parts)
      if (!readNetwork(part)) context.addIssue({ code: "custom", message: "must be addresses or CIDRs" });
    return parts;
  });

export type AddressPolicy = ReturnType<typeof createAddressPolicy>;

/**
 * Decides which addresses may be requested for users: those of the public internet, and the operator's allowlist.
 * Loopback, private, link-local (cloud metadata), shared, multicast, reserved and tunnelled addresses are refused.
 */
export function createAddressPolicy(allowlist: readonly string[]) {
  const networks = allowlist.flatMap((text) => readNetwork(text) ?? []);
  const isOpened = (address: Address): boolean =>
    networks.some(({ start, bits }) => start.kind() === address.kind() && address.match(start, bits));
  return {
    /** Whether text is an address at all, as against a name that must be resolved first. */
    isAddress: (host: string): boolean => readAddress(host) !== undefined,
    /** False for text that is no address. */
    mayCall(host: string): boolean {
      const address = readAddress(host);
      return address !== undefined && (address.range() === "unicast" || isOpened(address));
    },
  };
}
