import { z } from "zod/mini";

/** Reads a JSON text by a schema; undefined when it is empty, broken or does not fit. */
export function parseJson<T>(schema: z.core.$ZodType<T>, source: string): T | undefined {
  try {
    return z.safeParse(schema, JSON.parse(source)).data;
  } catch {
    return undefined;
  }
}
