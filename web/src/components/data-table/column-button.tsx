import { Columns3 } from "lucide-react";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/button.tsx";
import { OverlayButton } from "../ui/overlay-button.tsx";
import type { ColumnChoice } from "./column-dialog.tsx";
import type { DataColumn } from "./columns.ts";
import type { HouseTable } from "./use-data-table.ts";

const load = () => import("./column-dialog.tsx");
const ColumnDialog = lazy(async () => ({ default: (await load()).ColumnDialog }));

type ColumnButtonProps<Row> = { readonly table: HouseTable<Row>; readonly columns: readonly DataColumn<Row>[] };

const choicesOf = <Row,>({ table, columns }: ColumnButtonProps<Row>): ColumnChoice[] =>
  columns.map(({ id, label }) => {
    const column = table.getColumn(id);
    return {
      id,
      label,
      isShown: column?.getIsVisible() ?? true,
      isFixed: column?.getCanHide() !== true,
      onShow: (shown) => column?.toggleVisibility(shown),
    };
  });

/** Opens the choice of columns. */
export function ColumnButton<Row>(props: ColumnButtonProps<Row>) {
  const { t } = useTranslation();
  const button = (
    <Button size="icon" aria-label={t("列设置")}>
      <Columns3 />
    </Button>
  );
  return (
    <OverlayButton kind="dialog" button={button} preload={load}>
      {(opened) => <ColumnDialog {...opened} choices={choicesOf(props)} />}
    </OverlayButton>
  );
}
