import {
  type ColumnOrderState,
  type ColumnVisibilityState,
  functionalUpdate,
  type Updater,
} from "@tanstack/react-table";
import { PAGE_SIZES } from "@turnpike/contract/limits";
import { useMemo, useState } from "react";
import { isListOf, isFlag, isMapOf, isText } from "../../lib/check.ts";
import { storage } from "../../lib/storage.ts";

const PAGE_SIZE_KEY = "page-size";
const DEFAULT_PAGE_SIZE = 20;
const isVisibility = isMapOf(isFlag);
const isOrder = isListOf(isText);

const visibilityKey = (tableId: string): string => `columns:${tableId}`;
const orderKey = (tableId: string): string => `column-order:${tableId}`;

/** The page size the reader chose last, on any table; a list of another kind remembers its own under its own key. */
export function rememberedPageSize(key: string = PAGE_SIZE_KEY): number {
  const stored = Number(storage.read(key));
  return PAGE_SIZES.find((size) => size === stored) ?? DEFAULT_PAGE_SIZE;
}

/** Remembers the page size for all tables, or for the list with that key. */
export const rememberPageSize = (size: number, key: string = PAGE_SIZE_KEY): void => storage.write(key, String(size));

type Hideable = { readonly id: string; readonly fixed?: boolean; readonly startsHidden?: boolean };

/** Which columns of a table are shown, and in which order. This browser remembers both; a new column keeps its own default. */
export function useColumnPreferences(tableId: string | undefined, columns: readonly Hideable[]) {
  const [chosen, setChosen] = useState<ColumnVisibilityState>(() => {
    const stored = tableId === undefined ? undefined : storage.readJson(visibilityKey(tableId));
    return isVisibility(stored) ? stored : {};
  });
  const [order, setOrder] = useState<ColumnOrderState>(() => {
    const stored = tableId === undefined ? undefined : storage.readJson(orderKey(tableId));
    return isOrder(stored) ? [...stored] : [];
  });
  const visibility = useMemo((): ColumnVisibilityState => {
    const hidden = columns.filter(({ startsHidden }) => startsHidden === true).map(({ id }) => [id, false]);
    const fixed = columns.filter((column) => column.fixed === true).map(({ id }) => [id, true]);
    return { ...Object.fromEntries(hidden), ...chosen, ...Object.fromEntries(fixed) };
  }, [columns, chosen]);
  return {
    visibility,
    order,
    setVisibility: (updater: Updater<ColumnVisibilityState>): void => {
      const next = functionalUpdate(updater, visibility);
      if (tableId !== undefined) storage.write(visibilityKey(tableId), JSON.stringify(next));
      setChosen(next);
    },
    setOrder: (updater: Updater<ColumnOrderState>): void => {
      const next = functionalUpdate(updater, order);
      if (tableId !== undefined) storage.write(orderKey(tableId), JSON.stringify(next));
      setOrder(next);
    },
  } as const;
}
