import type { UsageHour } from "@turnpike/contract/api/data";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Card, CardContent } from "../../components/ui/card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { useFormatMoney } from "../../components/money.tsx";
import { formatCount, formatShort } from "../../lib/format.ts";
import { text } from "../../lib/i18n-source.ts";
import { useMoneyDisplay } from "../../lib/status.ts";
import { UsageChart } from "./usage-chart.tsx";
import { type Granularity, type Measure, OTHER, type Series, usageSeries } from "./usage-series.ts";

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
          <th className="pl-3 text-right font-medium whitespace-nowrap">{t("合计")}</th>
          <th className="w-20 pl-3 text-right font-medium whitespace-nowrap">{t("占比")}</th>
        </tr>
      </thead>
      <tbody>
        {series.names.map((name) => {
          const value = series.totals[name] ?? 0;
          return (
            <tr key={name} className="h-8 border-t whitespace-nowrap tabular-nums">
              <td className="w-full max-w-0 truncate" title={name === OTHER ? undefined : name}>
                {name === OTHER ? t("其他") : name}
              </td>
              <td className="pl-3 text-right">{format(value)}</td>
              <td className="pl-3 text-right">{sum === 0 ? "—" : `${((value / sum) * 100).toFixed(1)}%`}</td>
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
    <Card>
      <CardContent>
        <Tabs value={measure} onValueChange={(value) => setMeasure(value as Measure)} className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h2 className="font-semibold">{t("按模型统计")}</h2>
            <TabsList aria-label={t("统计项目")}>
              {MEASURES.map(({ value, label }) => (
                <TabsTrigger key={value} value={value}>
                  {t(label)}
                </TabsTrigger>
              ))}
            </TabsList>
          </div>
          <TabsContent value={measure} className="flex flex-col gap-4">
            {series.names.length === 0 ? (
              <p className="py-12 text-center text-muted-foreground">{t("这段时间没有调用。")}</p>
            ) : (
              <>
                <UsageChart series={series} by={by} format={format} formatAxis={formatAxis} />
                <TotalsTable series={series} format={format} />
              </>
            )}
          </TabsContent>
        </Tabs>
      </CardContent>
    </Card>
  );
}
