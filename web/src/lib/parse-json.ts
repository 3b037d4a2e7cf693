import type { z } from "zod";

/** Reads a JSON text of a known shape; undefined when it is empty, broken or of another shape. */
export function parseJson<Schema extends z.ZodType>(schema: Schema, source: string): z.output<Schema> | undefined {
  try {
    const parsed = schema.safeParse(JSON.parse(source));
    return parsed.success ? parsed.data : undefined;
  } catch {
    return undefined;
  }
}
