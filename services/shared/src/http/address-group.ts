import ipaddr from "ipaddr.js";

/**
 * Whose calls are counted together: an IPv4 address by itself, of IPv6 the /64, as one household or server has a whole one. Text that is
 * no address stands for itself.
 */
export function getAddressGroup(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  return parsed.kind() === "ipv4" ? parsed.toString() : `${parsed.toByteArray().slice(0, 8).join(".")}/64`;
}
