import { z } from "zod/mini";
import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from "../limits.ts";

const readNumber = (value: unknown): unknown =>
  typeof value === "string" && value.trim() !== "" ? Number(value) : value;

/** An integer as clients send it: a JSON number, or text that parses as one. */
export const integer = z.pipe(z.transform(readNumber), z.int()).register(z.globalRegistry, { type: "integer" });

/** Any number, or NaN for unreadable input: for fields whose own rule reports the error. */
export const anyNumber = z
  .pipe(z.transform(readNumber), z.union([z.number(), z.nan()]))
  .register(z.globalRegistry, { type: "number" });

/** A boolean of a query string: "true" and "1" are true, everything else is false. */
export const queryFlag = z
  .pipe(
    z.optional(z.union([z.boolean(), z.string()])),
    z.transform((value) => value === true || value === "true" || value === "1"),
  )
  .register(z.globalRegistry, { type: "boolean" });

/** A text filter of a query string; absent and empty are the same. */
export const queryText = z._default(z.string().check(z.trim(), z.maxLength(200)), "");

/** What clients of this family write for a field that is empty: NaN is what their date picker makes of it. */
const EMPTY_NUMBERS: ReadonlySet<unknown> = new Set([undefined, "", "NaN", "null", "undefined"]);

/** A number filter of a query string; absent, empty, NaN and 0 mean any. */
export const queryNumber = z
  .pipe(
    z.transform((value: unknown) => (EMPTY_NUMBERS.has(value) ? 0 : readNumber(value))),
    z.int(),
  )
  .register(z.globalRegistry, { type: "integer" });

/** The id at the end of a path. */
export const IdParams = z.object({ id: z.pipe(integer, z.int().check(z.positive())) });

/**
 * `p`, `page_size` (or `size`) of a list, whose first page is `firstPage`; a smaller page number means the first page,
 * no size means the default, and no page is longer than the maximum.
 */
export const pageQuery = (firstPage: 0 | 1) =>
  z.pipe(
    z.object({
      p: z
        .optional(queryNumber)
        .register(z.globalRegistry, { description: `The page; the first one is ${firstPage}.` }),
      page_size: z.optional(queryNumber).register(z.globalRegistry, {
        description: `Rows per page: ${PAGE_SIZE_DEFAULT} without it, at most ${PAGE_SIZE_MAX}.`,
      }),
      size: z.optional(queryNumber).register(z.globalRegistry, { description: "The same as `page_size`." }),
    }),
    z.transform(({ p, page_size, size }) => ({
      page: Math.max(firstPage, p ?? firstPage),
      pageSize: Math.min(PAGE_SIZE_MAX, Math.max(0, page_size || size || 0) || PAGE_SIZE_DEFAULT),
    })),
  );

/** A page of a list. */
export const pageSchema = <Item extends z.ZodMiniType>(item: Item) =>
  z.object({ items: z.array(item), page: z.int(), page_size: z.int(), total: z.int() });

export type Page<Item> = {
  readonly items: readonly Item[];
  readonly page: number;
  readonly page_size: number;
  readonly total: number;
};

/** A list that clients read as a plain array, or as a page where the query has `paged=true`. */
export const listSchema = <Item extends z.ZodMiniType, Rest extends z.core.$ZodShape>(
  page: z.ZodMiniObject<{ items: z.ZodMiniArray<Item> } & Rest>,
) => z.union([page.shape.items, page]);

/** The response of a call that succeeded. `message` is "" unless the call specifies otherwise. */
export const successSchema = <Data extends z.ZodMiniType>(data: Data) =>
  z.object({ success: z.literal(true), message: z.string(), data });

/** The response of a call that returns a number: of changed rows, mostly. */
export const Count = successSchema(z.int());

/** The response of a call that succeeded and has nothing to return. */
export const Done = successSchema(z.null());

/** The response of a call that failed; `code` is a key of ERRORS, `params` are the values in its sentence. */
export const Failure = z.object({
  success: z.literal(false),
  message: z.string(),
  code: z.string(),
  params: z.record(z.string(), z.string()),
  /** The message again, for refused payments only: consoles of this family read it there. */
  data: z.optional(z.unknown()),
});
export type Failure = z.infer<typeof Failure>;

/**
 * Every response of `/api`. `code` and `params` are present on failure; `message` is "" on success unless the call
 * specifies otherwise.
 */
export const Envelope = z.object({
  success: z.boolean(),
  message: z._default(z.string(), ""),
  data: z.optional(z.unknown()),
  code: z.optional(z.string()),
  params: z.optional(z.record(z.string(), z.string())),
});
export type Envelope = z.infer<typeof Envelope>;
