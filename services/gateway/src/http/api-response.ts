import type { Page } from "@turnpike/contract/api/common";
import type { Response } from "express";

/** A value that may be made of read-only parts. */
export type ReadonlyParts<Value> = Value extends readonly (infer Item)[]
  ? readonly ReadonlyParts<Item>[]
  : Value extends object
    ? { readonly [Key in keyof Value]: ReadonlyParts<Value[Key]> }
    : Value;

/** A route's response: the JSON body or a file's text, and headers where needed. */
export type ApiResponse<Body = unknown> = {
  readonly body: Body;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** 200 when left out. */
  readonly status?: number;
  /** Streams the response itself when it is too long to buffer; the other fields are then ignored. */
  readonly send?: (response: Response) => Promise<void>;
};

/** The body of a success. */
export type Success<Data> = { readonly success: true; readonly message: string; readonly data: Data };

/** The common success response; without data for a call that has nothing to return. */
export function ok(): { readonly body: Success<null> };
export function ok<Data>(data: Data, message?: string): { readonly body: Success<Data> };
export function ok(data: unknown = null, message = ""): { readonly body: Success<unknown> } {
  return { body: { success: true, message, data } };
}

/** The requested page. */
export type PageRequest = { readonly page: number; readonly pageSize: number };
/** The rows and the total that a service returned for it. */
export type PageResult<Item> = { readonly items: readonly Item[]; readonly total: number };

const toPage = <Item>(request: PageRequest, found: PageResult<Item>): Page<Item> => ({
  items: found.items,
  page: request.page,
  page_size: request.pageSize,
  total: found.total,
});

/** One page of a list: `{items, page, page_size, total}`. */
export const okPage = <Item>(request: PageRequest, found: PageResult<Item>) => ok(toPage(request, found));

/**
 * A list that clients read as a plain array; the total is a header. With `?paged=true` it is a page like the others.
 */
export const okList = <Item>(
  request: PageRequest & { paged: boolean },
  found: PageResult<Item>,
): ApiResponse<Success<readonly Item[] | Page<Item>>> =>
  request.paged ? okPage(request, found) : { ...ok(found.items), headers: { "x-total-count": String(found.total) } };
