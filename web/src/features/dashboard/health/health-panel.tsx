import type { Overview } from "@turnpike/contract/api/report";
import { Link } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { Card, CardContent } from "../../../components/ui/card.tsx";
import { Tabs, TabsContent, TabsList, TabsTrigger } from "../../../components/ui/tabs.tsx";
import { formatMilliseconds } from "../../../lib/text/format.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { ChartActions } from "../chart-actions.tsx";
import type { ChartLine } from "./health-lines.tsx";
import { type HealthPoint, healthSeries } from "./health-series.ts";
import { HealthTable } from "./health-table.tsx";
import { SeriesLegend } from "../series-legend.tsx";
import { useHiddenSeries } from "../use-hidden-series.ts";
import type { Granularity } from "../usage/usage-series.ts";
import { useTimeLabel } from "../use-time-label.ts";
import { useZoom } from "../use-zoom.ts";

const HealthLines = lazy(async () => ({ default: (await import("./health-lines.tsx")).HealthLines }));

type View = "total" | "first" | "errors";

const VIEWS: readonly { readonly value: View; readonly label: string }[] = [
  { value: "total", label: text("总用时") },
  { value: "first", label: text("首字用时") },
  { value: "errors", label: text("失败率") },
];

/** Shares below ten percent keep three digits, so that the labels of an axis of small ones differ. */
const formatPercent = (percent: number): string =>
  `${Number(percent < 10 ? percent.toPrecision(3) : percent.toFixed(1))}%`;

type LineSource = Pick<ChartLine, "name" | "label" | "color"> & {
  readonly dashes?: string;
  readonly value: (point: HealthPoint) => number | undefined;
};

function getLines(view: View): readonly LineSource[] {
  if (view === "errors") {
    const value = ({ errorShare }: HealthPoint) => (errorShare === undefined ? undefined : errorShare * 100);
    return [{ name: "errors", label: text("失败率"), color: "var(--chart-5)", value }];
  }
  const isFirst = view === "first";
  return [
    {
      name: "half",
      label: text("中位数（p50）"),
      color: "var(--chart-1)",
      value: (point) => (isFirst ? point.firstHalfMs : point.halfMs),
    },
    {
      name: "late",
      label: text("95% 以内（p95）"),
      color: "var(--chart-2)",
      dashes: "5 4",
      value: (point) => (isFirst ? point.firstLateMs : point.lateMs),
    },
  ];
}

type HealthPanelProps = {
  readonly overview: Overview;
  /** The period before, of the same length; undefined until it is loaded. */
  readonly previous: Overview | undefined;
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly by: Granularity;
};

/** The lines of a view, with the first of them in the period before. */
function useLines(
  { previous, startSeconds, endSeconds, by }: HealthPanelProps,
  points: readonly HealthPoint[],
  view: View,
): readonly ChartLine[] {
  const { t } = useTranslation();
  const before = useMemo(() => {
    const span = { startSeconds: startSeconds - (endSeconds - startSeconds), endSeconds: startSeconds, by };
    return previous && healthSeries(previous.hours, span).points;
  }, [previous, startSeconds, endSeconds, by]);
  return useMemo(() => {
    const sources = getLines(view);
    const lines = sources.map(({ value, label, ...line }): ChartLine => ({
      ...line,
      label: t(label),
      values: points.map(value),
    }));
    const [first] = sources;
    if (!before || !first) return lines;
    // Both periods have as many points, but for a change of the clock.
    const values = points.map((_, index) => before[index] && first.value(before[index]));
    const label = `${t(first.label)} · ${t("上一时段")}`;
    return [...lines, { name: "previous", label, color: "var(--foreground)", dashes: "2 4", values }];
  }, [view, points, before, t]);
}

/** Latency and error rate of the site; for administrators. */
export function HealthPanel(props: HealthPanelProps) {
  const { overview, startSeconds, endSeconds, by } = props;
  const { t } = useTranslation();
  const [view, setView] = useState<View>("total");
  const label = useTimeLabel(by);
  const { points, whole } = useMemo(
    () => healthSeries(overview.hours, { startSeconds, endSeconds, by }),
    [overview.hours, startSeconds, endSeconds, by],
  );
  const chart = useRef<HTMLDivElement>(null);
  const lines = useLines(props, points, view);
  const [hidden, toggle] = useHiddenSeries();
  const shown = useMemo(() => lines.filter(({ name }) => !hidden.has(name)), [lines, hidden]);
  const [zoom, setZoom] = useZoom(points.length);
  const starts = useMemo(() => points.map(({ startSeconds: start }) => start), [points]);
  const toRows = () => [
    [t("时间"), ...lines.map(({ label: name }) => name)],
    ...starts
      .slice(zoom.first, zoom.last + 1)
      .map((start, index) => [
        new Date(start * 1000).toISOString(),
        ...lines.map(({ values }) => values[zoom.first + index] ?? ""),
      ]),
  ];
  return (
    <Card>
      <CardContent>
        <Tabs value={view} onValueChange={(value) => setView(value as View)} className="flex flex-col gap-4">
          <div className="flex flex-wrap items-center justify-between gap-2">
            <h2 className="font-semibold">{t("响应速度和失败率")}</h2>
            <div className="flex flex-wrap items-center gap-2">
              <TabsList aria-label={t("响应速度和失败率")}>
                {VIEWS.map(({ value, label: name }) => (
                  <TabsTrigger key={value} value={value}>
                    {t(name)}
                  </TabsTrigger>
                ))}
              </TabsList>
              <ChartActions name={`health-${view}`} chart={chart} rows={toRows} />
            </div>
          </div>
          <TabsContent value={view} className="flex flex-col gap-4">
            {view === "errors" && !overview.errors_logged && (
              <p className="text-[13px] text-muted-foreground">
                {t("没有开启“记录失败的调用”，看不到失败率。")}{" "}
                <Link to="/admin/settings" search={{ tab: "operation" }} className="text-accent-text hover:underline">
                  {t("前往设置")}
                </Link>
              </p>
            )}
            <figure className="flex flex-col gap-3">
              <div ref={chart}>
                <Suspense fallback={<Skeleton className="h-60 w-full" />}>
                  <HealthLines
                    starts={starts}
                    lines={shown}
                    label={label}
                    format={view === "errors" ? formatPercent : formatMilliseconds}
                    description={t("各时间段的折线，数值见下表")}
                    zoom={zoom}
                    onZoom={setZoom}
                  />
                </Suspense>
              </div>
              <SeriesLegend series={lines} hidden={hidden} onToggle={toggle} />
            </figure>
            <HealthTable points={points} whole={whole} endSeconds={endSeconds} label={label} />
          </TabsContent>
        </Tabs>
      </CardContent>
    </Card>
  );
}
