import { lazy, Suspense, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { cn } from "@/lib/utils";
import type { ChartSeries, UsageBarsProps } from "./usage-bars.tsx";
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
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const all = useChartSeries(series);
  const shown = useMemo(() => all.filter(({ name }) => !hidden.has(name)), [all, hidden]);
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
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
      <figcaption className="flex flex-wrap gap-x-3">
        {all.map(({ name, label, color }) => (
          <button
            key={name}
            type="button"
            aria-pressed={!hidden.has(name)}
            className={cn(
              "flex min-h-6 items-center gap-1.5 rounded-sm text-xs",
              hidden.has(name) && "text-muted-foreground line-through",
            )}
            onClick={() => toggle(name)}
          >
            <span className="size-2.5 rounded-xs" style={{ background: color }} aria-hidden />
            {label}
          </button>
        ))}
      </figcaption>
    </figure>
  );
}
