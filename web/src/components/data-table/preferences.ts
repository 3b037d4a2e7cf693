import { NameList } from "@turnpike/contract/api/user";
import {
  type ColumnOrderState,
  type ColumnVisibilityState,
  functionalUpdate,
  type Updater,
} from "@tanstack/react-table";
import { useMemo, useState } from "react";
import { z } from "zod/mini";
import { storage } from "../../lib/storage.ts";

const Visibility = z.record(z.string(), z.boolean());

const visibilityKey = (tableId: string): string => `columns:${tableId}`;
const orderKey = (tableId: string): string => `column-order:${tableId}`;

type Hideable = { readonly id: string; readonly fixed?: boolean; readonly startsHidden?: boolean };

/** The visible columns of a table and their order. This browser stores both; a new column keeps its default. */
export function useColumnPreferences(tableId: string | undefined, columns: readonly Hideable[]) {
  const [chosen, setChosen] = useState<ColumnVisibilityState>(() => {
    return (tableId === undefined ? undefined : storage.readJson(visibilityKey(tableId), Visibility)) ?? {};
  });
  const [order, setOrder] = useState<ColumnOrderState>(() => {
    return (tableId === undefined ? undefined : storage.readJson(orderKey(tableId), NameList)) ?? [];
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
