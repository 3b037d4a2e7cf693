import ipaddr from "ipaddr.js";
import { z } from "zod";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = { readonly start: Address; readonly bits: number };

/** The NAT64 prefix through which IPv6-only networks reach IPv4: the last 32 bits are the real address. */
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96") as [ipaddr.IPv6, number];

/** The only part of IPv6 that is in public use (IANA, "IPv6 Global Unicast Address Assignments"). */
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3") as [ipaddr.IPv6, number];

const isPublic = (address: Address): boolean =>
  address.range() === "unicast" && (address.kind() === "ipv4" || (address as ipaddr.IPv6).match(GLOBAL_UNICAST));

/** The address in canonical form (an IPv4-mapped IPv6 address as IPv4); undefined for text that is not an address. */
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

/** PRIVATE_ADDRESS_ALLOWLIST: comma-separated private addresses and CIDRs that this service may call. */
export const addressAllowlist = z
  .string()
  .default("")
  .transform((text, context) => {
    const parts = text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()]));
    for (const part of parts)
      if (!readNetwork(part)) context.addIssue({ code: "custom", message: "must be addresses or CIDRs" });
    return parts;
  });

/** Where clouds serve credentials inside networks that operators open: Alibaba Cloud, Amazon's IPv6 address. */
const METADATA = ["100.100.100.200", "fd00:ec2::254"].map((text) => ipaddr.parse(text));

export type AddressPolicy = ReturnType<typeof createAddressPolicy>;

/**
 * Decides which addresses may be called for users: those of the public internet, and the operator's allowlist.
 * Loopback, private, link-local (cloud metadata), shared, multicast, reserved and tunnelled addresses are refused. Cloud
 * metadata within a private network opens only by its own address, not by the network around it.
 */
export function createAddressPolicy(allowlist: readonly string[]) {
  const networks = allowlist.flatMap((text) => readNetwork(text) ?? []);
  const isOpened = (address: Address): boolean => {
    const isMetadata = METADATA.some((one) => one.toNormalizedString() === address.toNormalizedString());
    const bitsMin = isMetadata ? address.toByteArray().length * 8 : 0;
    return networks.some(
      ({ start, bits }) => bits >= bitsMin && start.kind() === address.kind() && address.match(start, bits),
    );
  };
  return {
    /** Whether text is an IP address, as opposed to a name that must be resolved first. */
    isAddress: (host: string): boolean => readAddress(host) !== undefined,
    /** False for text that is not an address. */
    mayCall(host: string): boolean {
      const address = readAddress(host);
      return address !== undefined && (isPublic(address) || isOpened(address));
    },
  };
}
