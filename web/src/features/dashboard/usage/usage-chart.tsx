import { lazy, Suspense, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { SeriesLegend } from "../series-legend.tsx";
import type { ChartSeries, UsageBarsProps } from "./usage-bars.tsx";
import { useHiddenSeries } from "../use-hidden-series.ts";
import { OTHER, type Series } from "./usage-series.ts";

const UsageBars = lazy(async () => ({ default: (await import("./usage-bars.tsx")).UsageBars }));

type UsageChartProps = Omit<UsageBarsProps, "buckets" | "series" | "description"> & { readonly series: Series };

const getColor = (name: string, index: number): string => `var(--chart-${name === OTHER ? 8 : index + 1})`;

function useChartSeries({ names }: Series): readonly ChartSeries[] {
  const { t } = useTranslation();
  return useMemo(
    () =>
      names.map((name, index) => ({
        name,
        label: name === OTHER ? t("其他") : name,
        color: getColor(name, index),
      })),
    [names, t],
  );
}

/** Stacked bars by model; a click on the legend hides a series. */
export function UsageChart({ series, ...chart }: UsageChartProps) {
  const { t } = useTranslation();
  const [hidden, toggle] = useHiddenSeries();
  const all = useChartSeries(series);
  const shown = useMemo(() => all.filter(({ name }) => !hidden.has(name)), [all, hidden]);
  return (
    <figure className="flex flex-col gap-3">
      <Suspense fallback={<Skeleton className="h-72 w-full" />}>
        <UsageBars
          {...chart}
          buckets={series.buckets}
          series={shown}
          description={t("每个时间段按模型堆叠的柱形，合计见下表")}
        />
      </Suspense>
      <SeriesLegend series={all} hidden={hidden} onToggle={toggle} />
    </figure>
  );
}
