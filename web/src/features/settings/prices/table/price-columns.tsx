import type { TFunction } from "i18next";
import type { DataColumn } from "../../../../components/data-table/columns/columns.ts";
import { StatusBadge } from "../../../../components/status-badge.tsx";
import { PriceCell } from "./price-cell.tsx";
import { getCacheDollars, type PriceRow, withCacheDollars } from "../price-rows.ts";

type Edit = {
  /** The rows as they are stored, by model. */
  readonly stored: ReadonlyMap<string, PriceRow>;
  /** Takes a row with another price; it waits until the section is saved. */
  readonly onPrice: (row: PriceRow) => void;
};

type PriceColumn = Pick<DataColumn<PriceRow>, "id" | "label"> & {
  readonly mode: PriceRow["mode"];
  readonly read: (row: PriceRow) => number;
  readonly write: (row: PriceRow, dollars: number) => PriceRow;
};

/** A column of prices that are edited in their cells. */
const priceColumn = (
  { mode, read, write, ...column }: PriceColumn,
  { stored, onPrice }: Edit,
): DataColumn<PriceRow> => ({
  ...column,
  align: "right",
  card: "fact",
  className: "max-w-none",
  value: (row) => (row.mode === mode ? read(row) : undefined),
  cell: (row) => {
    if (row.mode !== mode) return "—";
    const before = stored.get(row.name);
    return (
      <PriceCell
        label={`${row.name} · ${column.label}`}
        value={read(row)}
        stored={before?.mode === mode ? read(before) : undefined}
        onChange={(dollars) => onPrice(write(row, dollars))}
      />
    );
  },
});

const priceKinds = (t: TFunction): readonly PriceColumn[] => [
  {
    id: "input",
    label: t("输入（每百万 Token）"),
    mode: "tokens",
    read: (row) => row.inputDollars,
    write: (row, inputDollars) => ({ ...row, inputDollars }),
  },
  {
    id: "output",
    label: t("输出（每百万 Token）"),
    mode: "tokens",
    read: (row) => row.outputDollars,
    write: (row, outputDollars) => ({ ...row, outputDollars }),
  },
  {
    id: "cache",
    label: t("缓存读取（每百万 Token）"),
    mode: "tokens",
    read: getCacheDollars,
    write: withCacheDollars,
  },
  {
    id: "call",
    label: t("每次调用"),
    mode: "call",
    read: (row) => row.callDollars,
    write: (row, callDollars) => ({ ...row, callDollars }),
  },
];

/**
 * The columns of the price table: model, how it is billed, its prices in dollars. The price of cache reads is a share of
 * the input price: it follows when that changes, and can be corrected next to it.
 */
export const priceColumns = (t: TFunction, edit: Edit): readonly DataColumn<PriceRow>[] => [
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
  ...priceKinds(t).map((kind) => priceColumn(kind, edit)),
];
