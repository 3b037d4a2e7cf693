import { PAGE_SIZES } from "@turnpike/contract/limits";
import { useState } from "react";
import { isFlag, isMapOf } from "../../lib/check.ts";
import { storage } from "../../lib/storage.ts";

const PAGE_SIZE_KEY = "page-size";
const DEFAULT_PAGE_SIZE = 20;
const isHidden = isMapOf(isFlag);

const columnsKey = (tableId: string): string => `columns:${tableId}`;

/** The page size the reader chose last, on any table. */
export function rememberedPageSize(): number {
  const stored = Number(storage.read(PAGE_SIZE_KEY));
  return PAGE_SIZES.find((size) => size === stored) ?? DEFAULT_PAGE_SIZE;
}

/** Remembers the page size for all tables. */
export const rememberPageSize = (size: number): void => storage.write(PAGE_SIZE_KEY, String(size));

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
