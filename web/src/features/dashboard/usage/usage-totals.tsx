import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { DataColumn } from "../../../components/data-table/columns/columns.ts";
import { DataTable } from "../../../components/data-table/data-table.tsx";
import { formatChange } from "../../../lib/text/format.ts";
import { getChange, OTHER } from "./usage-series.ts";

type Sums = Readonly<Record<string, number>>;

type UsageTotalsProps = {
  readonly names: readonly string[];
  readonly totals: Sums;
  /** The sums of the previous period; undefined until they are loaded. */
  readonly previous: Sums | undefined;
  readonly format: (value: number) => string;
  readonly onSelect: (name: string) => void;
};

type Total = {
  readonly name: string;
  readonly value: number;
  /** Of the sum of all models, 0 to 1; undefined while nothing was used. */
  readonly share: number | undefined;
  readonly before: number | undefined;
  readonly change: number | undefined;
};

const toTotals = ({ names, totals, previous }: Pick<UsageTotalsProps, "names" | "totals" | "previous">): Total[] => {
  const sum = Object.values(totals).reduce((total, value) => total + value, 0);
  return names.map((name) => {
    const value = totals[name] ?? 0;
    const before = previous && (previous[name] ?? 0);
    const change = before === undefined ? undefined : getChange(before, value);
    return { name, value, share: sum === 0 ? undefined : value / sum, before, change };
  });
};

const NONE = "—";

function totalColumns(
  t: TFunction,
  { format, onSelect }: Pick<UsageTotalsProps, "format" | "onSelect">,
): readonly DataColumn<Total>[] {
  const figure = { align: "right" } as const;
  const secondary = { ...figure, wideOnly: true };
  return [
    {
      id: "model",
      label: t("模型"),
      className: "w-full max-w-0 truncate",
      value: ({ name }) => name,
      cell: ({ name }) =>
        name === OTHER ? (
          t("其他")
        ) : (
          <button type="button" className="hover:underline" title={name} onClick={() => onSelect(name)}>
            {name}
          </button>
        ),
    },
    { id: "total", label: t("合计"), ...figure, value: ({ value }) => value, cell: ({ value }) => format(value) },
    {
      id: "share",
      label: t("占比"),
      ...figure,
      value: ({ share }) => share,
      cell: ({ share }) => (share === undefined ? NONE : `${(share * 100).toFixed(1)}%`),
    },
    {
      id: "before",
      label: t("上一时段"),
      ...secondary,
      value: ({ before }) => before,
      cell: ({ before }) => (before === undefined ? NONE : format(before)),
    },
    {
      id: "change",
      label: t("变化"),
      ...secondary,
      value: ({ change }) => change,
      cell: ({ change }) => (change === undefined ? NONE : formatChange(change)),
    },
  ];
}

/** The chart's numbers as a table. A click on a model filters the dashboard by it. */
export function UsageTotals({ names, totals, previous, format, onSelect }: UsageTotalsProps) {
  const { t } = useTranslation();
  const rows = useMemo(() => toTotals({ names, totals, previous }), [names, totals, previous]);
  return (
    <DataTable
      label={t("各模型的用量")}
      columns={totalColumns(t, { format, onSelect })}
      rows={rows}
      getRowId={({ name }) => name}
      cards={false}
    />
  );
}
