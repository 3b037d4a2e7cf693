import { useTranslation } from "react-i18next";
import { formatChange } from "../../lib/format.ts";
import { getChange, OTHER } from "./usage-series.ts";

type Sums = Readonly<Record<string, number>>;

type UsageTotalsProps = {
  readonly names: readonly string[];
  readonly totals: Sums;
  /** The sums of the period before; undefined while they are not known. */
  readonly previous: Sums | undefined;
  readonly format: (value: number) => string;
  readonly onSelect: (name: string) => void;
};

const figure = "pl-3 text-right whitespace-nowrap";

/** The numbers of the chart as a table. A click on a model narrows the dashboard to it. */
export function UsageTotals({ names, totals, previous, format, onSelect }: UsageTotalsProps) {
  const { t } = useTranslation();
  const sum = Object.values(totals).reduce((total, value) => total + value, 0);
  return (
    <table className="w-full text-[13px]">
      <thead>
        <tr className="h-8 text-left text-xs text-muted-foreground">
          <th className="font-medium">{t("模型")}</th>
          <th className={`${figure} font-medium`}>{t("合计")}</th>
          <th className={`${figure} w-20 font-medium`}>{t("占比")}</th>
          <th className={`${figure} font-medium max-sm:hidden`}>{t("上一时段")}</th>
          <th className={`${figure} w-20 font-medium max-sm:hidden`}>{t("变化")}</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => {
          const value = totals[name] ?? 0;
          const before = previous?.[name] ?? 0;
          const change = getChange(before, value);
          return (
            <tr key={name} className="h-8 border-t whitespace-nowrap tabular-nums">
              <td className="w-full max-w-0 truncate">
                {name === OTHER ? (
                  t("其他")
                ) : (
                  <button type="button" className="hover:underline" title={name} onClick={() => onSelect(name)}>
                    {name}
                  </button>
                )}
              </td>
              <td className={figure}>{format(value)}</td>
              <td className={figure}>{sum === 0 ? "—" : `${((value / sum) * 100).toFixed(1)}%`}</td>
              <td className={`${figure} max-sm:hidden`}>{previous ? format(before) : "—"}</td>
              <td className={`${figure} max-sm:hidden`}>
                {previous && change !== undefined ? formatChange(change) : "—"}
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
