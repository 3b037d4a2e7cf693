/** The parts of a comma-separated list in wire format, without blanks. */
export const splitCommaList = (list: string): string[] =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** A comma-separated list in wire format. */
export const joinCommaList = (names: readonly string[]): string => names.join(",");
