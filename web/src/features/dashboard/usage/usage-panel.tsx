import type { UsageHour } from "@turnpike/contract/api/data";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { X } from "lucide-react";
import { Button } from "../../../components/ui/button.tsx";
import { Card, CardContent } from "../../../components/ui/card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../components/ui/tabs.tsx";
import { useFormatMoney } from "../../../components/money.tsx";
import { formatAxisDollars, formatCount, formatQuotaSum, formatShort } from "../../../lib/text/format.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { useMoneyDisplay } from "../../../lib/status.ts";
import { ChartActions } from "../chart-actions.tsx";
import { UsageChart } from "./usage-chart.tsx";
import { type Measure, OTHER, type Series, type Span, sumBuckets, usageSeries } from "./usage-series.ts";
import { UsageTotals } from "./usage-totals.tsx";
import { useTimeLabel } from "../use-time-label.ts";
import { useZoom } from "../use-zoom.ts";

const MEASURES: readonly { readonly value: Measure; readonly label: string }[] = [
  { value: "quota", label: text("消耗") },
  { value: "count", label: text("调用次数") },
  { value: "token_used", label: text("Token 数") },
];

type UsagePanelProps = {
  readonly hours: readonly UsageHour[];
  /** The previous period, of the same length; undefined until it is loaded. */
  readonly previous: readonly UsageHour[] | undefined;
  readonly span: Span;
  /** The model that filters the dashboard. */
  readonly model: string | undefined;
  readonly onModel: (model: string | undefined) => void;
};

function useFormats(measure: Measure) {
  const formatMoney = useFormatMoney();
  const display = useMoneyDisplay();
  const { inCurrency, quotaPerUnit } = display;
  if (measure !== "quota") return { format: formatCount, formatSum: formatCount, formatAxis: formatShort };
  const formatSum = (quota: number): string => formatQuotaSum(quota, display);
  const axisMoney = (quota: number): string => formatAxisDollars(quota / quotaPerUnit);
  return { format: formatMoney, formatSum, formatAxis: inCurrency ? axisMoney : formatShort };
}

/** The series of the range, those of the previous period, and the zoomed part. */
function useUsage({ hours, previous, span }: UsagePanelProps, measure: Measure) {
  const { startSeconds, endSeconds, by } = span;
  const series = useMemo(
    () => usageSeries(hours, measure, { startSeconds, endSeconds, by }),
    [hours, measure, startSeconds, endSeconds, by],
  );
  const before = useMemo(() => {
    const period = { startSeconds: startSeconds - (endSeconds - startSeconds), endSeconds: startSeconds, by };
    return previous && usageSeries(previous, measure, period, series.names);
  }, [previous, measure, startSeconds, endSeconds, by, series.names]);
  const previousSums = useMemo(
    () => before?.buckets.map(({ values }) => Object.values(values).reduce((sum, value) => sum + value, 0)),
    [before],
  );
  const [zoom, setZoom] = useZoom(series.buckets.length);
  const zoomed = (one: Series) => one.buckets.slice(zoom.first, zoom.last + 1);
  return {
    series,
    previousSums,
    zoom,
    setZoom,
    zoomedBuckets: zoomed(series),
    totals: sumBuckets(zoomed(series)),
    previousTotals: before && sumBuckets(zoomed(before)),
  };
}

/** Usage by model over time: consumption, calls or tokens. */
export function UsagePanel(props: UsagePanelProps) {
  const { span, model, onModel } = props;
  const { t } = useTranslation();
  const [measure, setMeasure] = useState<Measure>("quota");
  const { format, formatSum, formatAxis } = useFormats(measure);
  const label = useTimeLabel(span.by);
  const chart = useRef<HTMLDivElement>(null);
  const { series, previousSums, zoom, setZoom, zoomedBuckets, totals, previousTotals } = useUsage(props, measure);
  const toName = (name: string): string => (name === OTHER ? t("其他") : name);
  const toRows = () => [
    [t("时间"), ...series.names.map(toName)],
    ...zoomedBuckets.map(({ startSeconds, values }) => [
      new Date(startSeconds * 1000).toISOString(),
      ...series.names.map((name) => values[name] ?? 0),
    ]),
  ];
  return (
    <Card>
      <CardContent>
        <Tabs value={measure} onValueChange={(value) => setMeasure(value as Measure)} className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <div className="flex flex-wrap items-center gap-2">
              <h2 className="font-semibold">{t("按模型统计")}</h2>
              {model !== undefined && (
                <Button variant="outline" size="sm" onClick={() => onModel(undefined)}>
                  {t("只看 {{model}}", { model })}
                  <X aria-label={t("取消筛选")} />
                </Button>
              )}
            </div>
            <div className="flex flex-wrap items-center gap-2">
              <TabsList aria-label={t("统计项目")}>
                {MEASURES.map(({ value, label: name }) => (
                  <TabsTrigger key={value} value={value}>
                    {t(name)}
                  </TabsTrigger>
                ))}
              </TabsList>
              <ChartActions name={`usage-${measure}`} chart={chart} rows={toRows} />
            </div>
          </div>
          <TabsContent value={measure} className="flex flex-col gap-4">
            {series.names.length === 0 ? (
              <p className="py-12 text-center text-muted-foreground">{t("这段时间没有调用。")}</p>
            ) : (
              <>
                <div ref={chart}>
                  <UsageChart
                    series={series}
                    previous={previousSums}
                    label={label}
                    format={format}
                    formatAxis={formatAxis}
                    zoom={zoom}
                    onZoom={setZoom}
                    onSelect={(name) => name !== OTHER && onModel(name === model ? undefined : name)}
                  />
                </div>
                <UsageTotals
                  names={series.names}
                  totals={totals}
                  previous={previousTotals}
                  format={formatSum}
                  onSelect={onModel}
                />
              </>
            )}
          </TabsContent>
        </Tabs>
      </CardContent>
    </Card>
  );
}
