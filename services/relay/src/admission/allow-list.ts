import { BlockList, isIP } from "node:net";

const family = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

/** IPv4-mapped IPv6 addresses are compared as IPv4. */
const plainAddress = (address: string): string => (address.startsWith("::ffff:") ? address.slice(7) : address);

/**
 * Builds a predicate that tests whether an address is in a list of addresses and CIDRs. Invalid lines are ignored: they
 * are refused when the list is saved.
 */
export function createAddressList(lines: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const line of lines.map((text) => text.trim())) {
    const [address = "", prefix] = line.split("/");
    if (isIP(address) === 0) continue;
    if (prefix === undefined) list.addAddress(address, family(address));
    else list.addSubnet(address, Number(prefix), family(address));
  }
  return (address) => {
    const plain = plainAddress(address);
    return isIP(plain) !== 0 && list.check(plain, family(plain));
  };
}
