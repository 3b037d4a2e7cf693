import type { RowData } from "@tanstack/react-table";
import { Bookmark } from "lucide-react";
import { type ComponentType, lazy } from "react";
import { useTranslation } from "react-i18next";
import { LazyOverlay } from "../../lazy-overlay.tsx";
import { Button } from "../../ui/button.tsx";
import type { TableInstance } from "../table-features.ts";
import type { ViewsDialogProps } from "./views-dialog.tsx";

const loadDialog = () => import("./views-dialog.tsx");
const ViewsDialog = lazy(async () => ({ default: (await loadDialog()).ViewsDialog }));

type ViewsButtonProps<Data extends RowData> = { readonly tableId: string; readonly table: TableInstance<Data> };

/** The button of a list's saved views. */
export function ViewsButton<Data extends RowData>({ tableId, table }: ViewsButtonProps<Data>) {
  const { t } = useTranslation();
  const trigger = (
    <Button variant="outline" size="icon" aria-label={t("视图")} title={t("视图")}>
      <Bookmark />
    </Button>
  );
  // A lazy component loses the type parameter of what it loads.
  const Dialog = ViewsDialog as unknown as ComponentType<ViewsDialogProps<Data>>;
  return (
    <LazyOverlay kind="dialog" load={loadDialog} trigger={trigger}>
      <Dialog tableId={tableId} table={table} trigger={trigger} />
    </LazyOverlay>
  );
}
