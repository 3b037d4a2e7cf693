import ipaddr from "ipaddr.js";

/**
 * The unit in which calls are counted: one IPv4 address, or a /64 of IPv6, because one household or server has a whole
 * one. Text that is not an address is its own unit.
 */
export function getAddressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4" ? parsed.toString() : `${parsed.toByteArray().slice(0, 8).join(".")}/64`;
}
