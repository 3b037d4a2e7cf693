import { PAGE_SIZES } from "@turnpike/contract/limits";
import { storage } from "../../lib/storage.ts";

const PAGE_SIZE_KEY = "page-size";
const DEFAULT_PAGE_SIZE = 20;

/** The last chosen page size of any table; a special list has its own under its own key. */
export function rememberedPageSize(key: string = PAGE_SIZE_KEY): number {
  const stored = Number(storage.read(key));
  return PAGE_SIZES.find((size) => size === stored) ?? DEFAULT_PAGE_SIZE;
}

/** Stores the page size for all tables, or for the list with that key. */
export const rememberPageSize = (size: number, key: string = PAGE_SIZE_KEY): void => storage.write(key, String(size));
