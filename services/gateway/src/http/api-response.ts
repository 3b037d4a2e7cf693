import type { Page } from "@turnpike/contract/api/common";
import type { Response } from "express";

/** A route's response: the JSON body or a file's text, and headers where needed. */
export type ApiResponse = {
  readonly body: object | string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
  /** 200 when left out. */
  readonly status?: number;
  /** Streams the response itself when it is too long to buffer; the other fields are then ignored. */
  readonly send?: (response: Response) => Promise<void>;
};

/** The usual success. */
export const ok = (data: unknown = null, message = ""): ApiResponse => ({ body: { success: true, message, data } });

/** Which page was asked for. */
export type PageRequest = { readonly page: number; readonly pageSize: number };
/** What a service found for it. */
export type PageResult<Item> = { readonly items: readonly Item[]; readonly total: number };

const pageOf = <Item>(asked: PageRequest, found: PageResult<Item>): Page<Item> => ({
  items: found.items,
  page: asked.page,
  page_size: asked.pageSize,
  total: found.total,
});

/** One page of a list: `{items, page, page_size, total}`. */
export const okPage = <Item>(asked: PageRequest, found: PageResult<Item>): ApiResponse => ok(pageOf(asked, found));

/** A list that clients know as a plain array: the total is a header. With `?paged=true` it is a page like the others. */
export const okList = <Item>(asked: PageRequest & { paged: boolean }, found: PageResult<Item>): ApiResponse =>
  asked.paged ? okPage(asked, found) : { ...ok(found.items), headers: { "x-total-count": String(found.total) } };
