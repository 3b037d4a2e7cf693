import type { RowData } from "@tanstack/react-table";
import { Columns3 } from "lucide-react";
import { type ComponentType, lazy } from "react";
import { useTranslation } from "react-i18next";
import { LazyOverlay } from "../../lazy-overlay.tsx";
import { Button } from "../../ui/button.tsx";
import type { ColumnDialogProps } from "./column-dialog.tsx";
import type { TableInstance } from "../table-features.ts";

const loadDialog = () => import("./column-dialog.tsx");
const ColumnDialog = lazy(async () => ({ default: (await loadDialog()).ColumnDialog }));

/** The button that opens a table's columns. */
export function ColumnButton<Data extends RowData>({ table }: { readonly table: TableInstance<Data> }) {
  const { t } = useTranslation();
  const trigger = (
    <Button variant="outline" size="icon" aria-label={t("列设置")}>
      <Columns3 />
    </Button>
  );
  // A lazy component loses the type parameter of what it loads.
  const Dialog = ColumnDialog as unknown as ComponentType<ColumnDialogProps<Data>>;
  return (
    <LazyOverlay kind="dialog" load={loadDialog} trigger={trigger}>
      <Dialog table={table} trigger={trigger} />
    </LazyOverlay>
  );
}
