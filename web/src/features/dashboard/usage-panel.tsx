import type { UsageHour } from "@turnpike/contract/api/data";
import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { X } from "lucide-react";
import { Button } from "../../components/ui/button.tsx";
import { Card, CardContent } from "../../components/ui/card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../components/ui/tabs.tsx";
import { useFormatMoney } from "../../components/money.tsx";
import { formatCount, formatShort } from "../../lib/format.ts";
import { text } from "../../lib/i18n-source.ts";
import { useMoneyDisplay } from "../../lib/status.ts";
import { ChartActions } from "./chart-actions.tsx";
import type { Zoom } from "./usage-bars.tsx";
import { UsageChart } from "./usage-chart.tsx";
import { type Measure, OTHER, type Series, type Span, sumBuckets, usageSeries } from "./usage-series.ts";
import { UsageTotals } from "./usage-totals.tsx";
import { useTimeLabel } from "./use-time-label.ts";

const MEASURES: readonly { readonly value: Measure; readonly label: string }[] = [
  { value: "quota", label: text("消耗") },
  { value: "count", label: text("调用次数") },
  { value: "token_used", label: text("Token 数") },
];

type UsagePanelProps = {
  readonly hours: readonly UsageHour[];
  /** The period before, of the same length; undefined while it is not known. */
  readonly previous: readonly UsageHour[] | undefined;
  readonly span: Span;
  /** The model that the dashboard is narrowed to. */
  readonly model: string | undefined;
  readonly onModel: (model: string | undefined) => void;
};

function useFormats(measure: Measure) {
  const formatMoney = useFormatMoney();
  const { inCurrency, quotaPerUnit } = useMoneyDisplay();
  if (measure !== "quota") return { format: formatCount, formatAxis: formatShort };
  const axisMoney = (quota: number): string => `$${formatShort(Number((quota / quotaPerUnit).toPrecision(2)))}`;
  return { format: formatMoney, formatAxis: inCurrency ? axisMoney : formatShort };
}

/** The series of the span, those of the period before, and the part that the reader zoomed in on. */
function useUsage({ hours, previous, span }: UsagePanelProps, measure: Measure) {
  const { startSeconds, endSeconds, by } = span;
  const [chosen, setZoom] = useState<Zoom & { readonly count: number }>();
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
  const count = series.buckets.length;
  // A zoom into other buckets than these is over.
  const zoom = chosen?.count === count ? chosen : { first: 0, last: count - 1 };
  const zoomed = (one: Series) => one.buckets.slice(zoom.first, zoom.last + 1);
  return {
    series,
    previousSums,
    zoom,
    setZoom: (next: Zoom) => setZoom({ ...next, count }),
    zoomedBuckets: zoomed(series),
    totals: sumBuckets(zoomed(series)),
    previousTotals: before && sumBuckets(zoomed(before)),
  };
}

/** Use by model over time: consumption, calls or tokens. */
export function UsagePanel(props: UsagePanelProps) {
  const { span, model, onModel } = props;
  const { t } = useTranslation();
  const [measure, setMeasure] = useState<Measure>("quota");
  const { format, formatAxis } = useFormats(measure);
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
                  format={format}
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
