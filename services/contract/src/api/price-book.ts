import { z } from "zod";
import { OptionList } from "./option.ts";

/** Data of `GET /api/option/prices` (admin): every price option, and the revision that all of them belong to. */
export const PriceBook = z.object({ revision: z.int(), options: OptionList });
export type PriceBook = z.infer<typeof PriceBook>;

/**
 * A change of one price option: its new value, or `reset` for the built-in default, or entries of its table to set and to remove by
 * model or group.
 */
export const PriceOptionChange = z.object({
  key: z.string().min(1),
  value: z.union([z.string(), z.number(), z.boolean()]).transform(String).optional(),
  reset: z.boolean().default(false),
  set: z.record(z.string(), z.json()).default({}),
  remove: z.array(z.string()).default([]),
});

/** Body of `PUT /api/option/prices`: all changes or none; refused with prices_changed when `revision` is not in force any more. */
export const PriceChangesBody = z.object({
  changes: z.array(PriceOptionChange).min(1).max(100),
  revision: z.int().optional(),
});
export type PriceChangesBody = z.input<typeof PriceChangesBody>;

/** Data of `PUT /api/option/prices`: the revision in force with the changes. */
export const PriceChangesResult = z.object({ revision: z.int() });
export type PriceChangesResult = z.infer<typeof PriceChangesResult>;
