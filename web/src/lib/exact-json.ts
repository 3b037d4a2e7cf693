/**
 * JSON of an address. A number that would not be written the same again stays the text it is: codes and tokens of an address
 * ("12e4", thirty digits) may look like numbers.
 */
export function exactJson(source: string): unknown {
  const value: unknown = JSON.parse(source);
  if (typeof value === "number" && String(value) !== source) throw new SyntaxError("not written as a number is");
  return value;
}
