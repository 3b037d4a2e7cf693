/**
 * JSON in an address. A number that would not be serialised the same way stays text: codes and tokens ("12e4", thirty
 * digits) may look like numbers.
 */
export function exactJson(source: string): unknown {
  const value: unknown = JSON.parse(source);
  if (typeof value === "number" && String(value) !== source) throw new SyntaxError("not a number in canonical form");
  return value;
}
