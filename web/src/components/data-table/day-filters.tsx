import { useTranslation } from "react-i18next";
import { Input } from "../ui/input.tsx";

/** The first and the last day of a list in the address, as "2026-05-31". */
export type DaySearch = { readonly from?: string | undefined; readonly to?: string | undefined };

type DayFiltersProps = { readonly search: DaySearch; readonly onChange: (change: DaySearch) => void };

/** Filters a list by days. */
export function DayFilters({ search: { from, to }, onChange }: DayFiltersProps) {
  const { t } = useTranslation();
  return (
    <div className="flex w-full items-center gap-1.5 sm:w-auto">
      <Input
        type="date"
        className="sm:w-36"
        aria-label={t("开始日期")}
        max={to}
        value={from ?? ""}
        onChange={(event) => onChange({ from: event.target.value })}
      />
      <span className="text-muted-foreground" aria-hidden>
        –
      </span>
      <Input
        type="date"
        className="sm:w-36"
        aria-label={t("结束日期")}
        min={from}
        value={to ?? ""}
        onChange={(event) => onChange({ to: event.target.value })}
      />
    </div>
  );
}
