import type { Check } from "./check.ts";

/** Reads a JSON text of a known shape; undefined when it is empty, broken or of another shape. */
export function parseJson<T>(fits: Check<T>, source: string): T | undefined {
  try {
    const parsed: unknown = JSON.parse(source);
    return fits(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}
