import type { UsageHour } from "@turnpike/contract/api/data";
import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Card } from "../../components/ui/card.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { Tabs, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { useFormatMoney } from "../../components/money.tsx";
import { formatCount, formatShort } from "../../lib/format.ts";
import { text } from "../../lib/i18n-source.ts";
import { useMoneyDisplay } from "../../lib/status.ts";
import { type Granularity, type Measure, OTHER, type Series, usageSeries } from "./usage-series.ts";

const UsageChart = lazy(async () => ({ default: (await import("./usage-chart.tsx")).UsageChart }));

const MEASURES: readonly { readonly value: Measure; readonly label: string }[] = [
  { value: "quota", label: text("消耗") },
  { value: "count", label: text("调用次数") },
  { value: "token_used", label: text("Token 数") },
];

type UsagePanelProps = {
  readonly hours: readonly UsageHour[];
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly by: Granularity;
};

function useFormats(measure: Measure) {
  const formatMoney = useFormatMoney();
  const { inCurrency, quotaPerUnit } = useMoneyDisplay();
  if (measure !== "quota") return { format: formatCount, formatAxis: formatShort };
  const axisMoney = (quota: number): string => `$${formatShort(Number((quota / quotaPerUnit).toPrecision(2)))}`;
  return { format: formatMoney, formatAxis: inCurrency ? axisMoney : formatShort };
}

/** The numbers of the chart as a table, for those who read rather than look. */
function TotalsTable({ series, format }: { readonly series: Series; readonly format: (value: number) => string }) {
  const { t } = useTranslation();
  const sum = Object.values(series.totals).reduce((total, value) => total + value, 0);
  return (
    <table className="w-full text-[13px]">
      <thead>
        <tr className="h-8 text-left text-xs text-muted-foreground">
          <th className="font-medium">{t("模型")}</th>
          <th className="text-right font-medium">{t("合计")}</th>
          <th className="w-20 text-right font-medium">{t("占比")}</th>
        </tr>
      </thead>
      <tbody>
        {series.names.map((name) => {
          const value = series.totals[name] ?? 0;
          return (
            <tr key={name} className="h-8 border-t tabular-nums">
              <td className="max-w-60 truncate">{name === OTHER ? t("其他") : name}</td>
              <td className="text-right">{format(value)}</td>
              <td className="text-right">{sum === 0 ? "—" : `${((value / sum) * 100).toFixed(1)}%`}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** Use by model over time: consumption, calls or tokens. */
export function UsagePanel({ hours, startSeconds, endSeconds, by }: UsagePanelProps) {
  const { t } = useTranslation();
  const [measure, setMeasure] = useState<Measure>("quota");
  const { format, formatAxis } = useFormats(measure);
  const series = useMemo(
    () => usageSeries(hours, measure, { startSeconds, endSeconds, by }),
    [hours, measure, startSeconds, endSeconds, by],
  );
  return (
    <Card className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="font-semibold">{t("按模型统计")}</h2>
        <Tabs value={measure} onValueChange={(value) => setMeasure(value as Measure)}>
          <TabsList aria-label={t("统计项目")}>
            {MEASURES.map(({ value, label }) => (
              <TabsTrigger key={value} value={value}>
                {t(label)}
              </TabsTrigger>
            ))}
          </TabsList>
        </Tabs>
      </div>
      {series.names.length === 0 ? (
        <p className="py-12 text-center text-muted-foreground">{t("这段时间没有调用。")}</p>
      ) : (
        <>
          <Suspense fallback={<Skeleton className="h-72 w-full" />}>
            <UsageChart series={series} by={by} format={format} formatAxis={formatAxis} />
          </Suspense>
          <TotalsTable series={series} format={format} />
        </>
      )}
    </Card>
  );
}
