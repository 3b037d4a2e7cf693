import { PAGE_SIZES } from "@turnpike/contract/limits";
import { useState } from "react";
import { isFlag, isMapOf } from "../../lib/check.ts";
import { storage } from "../../lib/storage.ts";

const PAGE_SIZE_KEY = "page-size";
const DEFAULT_PAGE_SIZE = 20;
const isHidden = isMapOf(isFlag);

const columnsKey = (tableId: string): string => `columns:${tableId}`;

/** The page size the reader chose last, on any table; a list of another kind remembers its own under its own key. */
export function rememberedPageSize(key: string = PAGE_SIZE_KEY): number {
  const stored = Number(storage.read(key));
  return PAGE_SIZES.find((size) => size === stored) ?? DEFAULT_PAGE_SIZE;
}

/** Remembers the page size for all tables, or for the list with that key. */
export const rememberPageSize = (size: number, key: string = PAGE_SIZE_KEY): void => storage.write(key, String(size));

/** Which columns of a table are shown, remembered by this browser; columns it knows nothing of keep their own default. */
export function useColumnVisibility(
  tableId: string,
  defaults: Readonly<Record<string, boolean>>,
): [Record<string, boolean>, (next: Record<string, boolean>) => void] {
  const [chosen, setChosen] = useState(() => {
    const stored = storage.readJson(columnsKey(tableId));
    return isHidden(stored) ? stored : {};
  });
  return [
    { ...defaults, ...chosen },
    (next) => {
      storage.write(columnsKey(tableId), JSON.stringify(next));
      setChosen(next);
    },
  ];
}
