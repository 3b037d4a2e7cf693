/** The parts of a comma list as the wire has it, without blanks. */
export const splitCommaList = (list: string): string[] =>
  list
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");

/** A comma list for the wire. */
export const joinCommaList = (names: readonly string[]): string => names.join(",");
