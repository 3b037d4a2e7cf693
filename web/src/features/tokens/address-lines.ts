const OCTET = /^(25[0-5]|2[0-4]\d|1?\d?\d)$/;

const isVersion4 = (address: string): boolean => {
  const parts = address.split(".");
  return parts.length === 4 && parts.every((part) => OCTET.test(part));
};

/** The 16-bit groups on one side of "::", an IPv4 end counting as two; undefined when one of them is invalid. */
function getGroups(side: string): number | undefined {
  if (side === "") return 0;
  const parts = side.split(":");
  const last = parts.at(-1) ?? "";
  const tail = last.includes(".") ? (isVersion4(last) ? 2 : undefined) : 0;
  if (tail === undefined) return undefined;
  const words = tail === 0 ? parts : parts.slice(0, -1);
  return words.every((word) => /^[0-9a-f]{1,4}$/i.test(word)) ? words.length + tail : undefined;
}

function isVersion6(address: string): boolean {
  const sides = address.split("::");
  if (sides.length > 2 || !address.includes(":")) return false;
  const counts = sides.map(getGroups);
  if (counts.includes(undefined)) return false;
  const total = counts.reduce<number>((sum, groups) => sum + (groups ?? 0), 0);
  return sides.length === 2 ? total < 8 : total === 8;
}

function isAddressOrRange(line: string): boolean {
  const [address = "", prefix, ...rest] = line.split("/");
  const bits = isVersion4(address) ? 32 : isVersion6(address) ? 128 : undefined;
  if (bits === undefined || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

/** The first line of a text that is neither an IP address nor a CIDR range; empty lines are skipped. */
export const findInvalidAddress = (text: string): string | undefined =>
  text
    .split("\n")
    .map((line) => line.trim())
    .find((line) => line !== "" && !isAddressOrRange(line));
