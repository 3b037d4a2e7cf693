import { z } from "zod";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../limits.ts";

/** A whole number as clients send it: a JSON number, or text that reads as one. */
export const wholeNumber = z.preprocess(
  (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
  z.int(),
);

/** Any number, or NaN for unreadable input: for fields whose own rule reports the error. */
export const anyNumber = z.preprocess(
  (value) => (typeof value === "string" && value.trim() !== "" ? Number(value) : value),
  z.union([z.number(), z.nan()]),
);

/** A truth value of a query string: "true" and "1" are true, all else is false. */
export const queryFlag = z
  .union([z.boolean(), z.string()])
  .optional()
  .transform((value) => value === true || value === "true" || value === "1");

/** A text filter of a query string; absent and empty are the same. */
export const queryText = z.string().trim().max(200).default("");

/** A number filter of a query string; absent, empty and 0 mean any. */
export const queryNumber = z.preprocess((value) => (value === "" || value === undefined ? 0 : value), wholeNumber);

/** The id at the end of a path. */
export const IdParams = z.object({ id: wholeNumber.pipe(z.int().positive()) });

/**
 * `p`, `page_size` (or `size`) of a list, whose first page is `firstPage`; a smaller page reads as the first one, no size as
 * the default, and no page is longer than the maximum.
 */
export const pageQuery = (firstPage: 0 | 1) =>
  z
    .object({ p: queryNumber, page_size: queryNumber, size: queryNumber })
    .partial()
    .transform(({ p, page_size, size }) => ({
      page: Math.max(firstPage, p ?? firstPage),
      pageSize: Math.min(PAGE_SIZE_MAX, Math.max(0, page_size || size || 0) || PAGE_SIZE_DEFAULT),
    }));

/** A page of a list. */
export const pageOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), page: z.int(), page_size: z.int(), total: z.int() });

export type Page<Item> = {
  readonly items: readonly Item[];
  readonly page: number;
  readonly page_size: number;
  readonly total: number;
};

/**
 * Every response of `/api`. `code` and `params` are present on failure; `message` is "" on success unless the call
 * specifies otherwise.
 */
export const Envelope = z.object({
  success: z.boolean(),
  message: z.string().default(""),
  data: z.unknown().optional(),
  code: z.string().optional(),
  params: z.record(z.string(), z.string()).optional(),
});
export type Envelope = z.infer<typeof Envelope>;
