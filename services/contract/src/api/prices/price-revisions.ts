import { z } from "zod/mini";
import { OptionList } from "../option.ts";

/** Data of `GET /api/option/prices` (administrators): every price option, and the revision that they all belong to. */
export const PriceBook = z.object({ revision: z.int(), options: OptionList });
export type PriceBook = z.infer<typeof PriceBook>;

/** Any JSON value. */
export const JsonValue = z.json().register(z.globalRegistry, { anyOf: undefined });

/**
 * A change of one price option: its new value, or `reset` for the built-in default, or entries of its table to set and
 * to remove by model or group.
 */
export const PriceOptionChange = z.object({
  key: z.string().check(z.minLength(1)),
  value: z.optional(z.pipe(z.union([z.string(), z.number(), z.boolean()]), z.transform(String))),
  reset: z._default(z.boolean(), false),
  set: z._default(z.record(z.string(), JsonValue), {}),
  remove: z._default(z.array(z.string()), []),
});

/**
 * Body of `PUT /api/option/prices`: all changes or none; refused with prices_changed when `revision` is no longer in
 * force.
 */
export const PriceChangesBody = z.object({
  changes: z.array(PriceOptionChange).check(z.minLength(1), z.maxLength(100)),
  revision: z.optional(z.int()),
  /** Confirms changes of catalogue prices by more than CatalogueConfirmFactor times. */
  confirmed: z.optional(z.boolean()),
});
export type PriceChangesBody = z.input<typeof PriceChangesBody>;

/** Data of `PUT /api/option/prices`: the revision in force with the changes. */
export const PriceChangesResult = z.object({ revision: z.int() });
export type PriceChangesResult = z.infer<typeof PriceChangesResult>;
