import type { z } from "zod/mini";
import { parseJson } from "./api/parse-json.ts";

/** This browser's storage. A browser without storage loses nothing else. */
export const storage = {
  read(key: string): string | undefined {
    try {
      return localStorage.getItem(key) ?? undefined;
    } catch {
      return undefined;
    }
  },
  write(key: string, value: string | undefined): void {
    try {
      if (value === undefined) localStorage.removeItem(key);
      else localStorage.setItem(key, value);
    } catch {
      // Private windows may forbid storage; the choice then lasts as long as the page.
    }
  },
  /** A stored JSON value; undefined where there is none, or it does not fit the schema. */
  readJson<T>(key: string, schema: z.core.$ZodType<T>): T | undefined {
    return parseJson(schema, storage.read(key) ?? "");
  },
};
