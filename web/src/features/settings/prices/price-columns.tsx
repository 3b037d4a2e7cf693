import type { TFunction } from "i18next";
import type { DataColumn } from "../../../components/data-table/columns.ts";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { formatDollars } from "../../../lib/format.ts";
import type { PriceRow } from "./price-rows.ts";

function dollars(
  column: Pick<DataColumn<PriceRow>, "id" | "label">,
  mode: PriceRow["mode"],
  read: (row: PriceRow) => number,
): DataColumn<PriceRow> {
  return {
    ...column,
    align: "right",
    card: "fact",
    value: (row) => (row.mode === mode ? read(row) : undefined),
    cell: (row) => (row.mode === mode ? formatDollars(read(row)) : "—"),
  };
}

/** The columns of the price table: model, how it is billed, its prices in dollars. */
export const priceColumns = (t: TFunction): readonly DataColumn<PriceRow>[] => [
  {
    id: "model",
    label: t("模型"),
    card: "title",
    className: "truncate font-mono text-xs",
    value: (row) => row.name,
    cell: (row) => <span title={row.name}>{row.name}</span>,
  },
  {
    id: "mode",
    label: t("计费方式"),
    card: "badge",
    value: (row) => row.mode,
    cell: (row) =>
      row.mode === "unset" ? (
        <StatusBadge tone="warn">{t("未设置价格")}</StatusBadge>
      ) : (
        <StatusBadge tone={row.mode === "call" ? "info" : "good"}>
          {row.mode === "call" ? t("按次计费") : t("按量计费")}
        </StatusBadge>
      ),
  },
  dollars({ id: "input", label: t("输入（每百万 Token）") }, "tokens", (row) => row.inputDollars),
  dollars({ id: "output", label: t("输出（每百万 Token）") }, "tokens", (row) => row.outputDollars),
  dollars({ id: "call", label: t("每次调用") }, "call", (row) => row.callDollars),
];
