import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { cn } from "../../lib/utils.ts";
import { type DrawnSeries, UsageBars } from "./usage-bars.tsx";
import { type Granularity, OTHER, type Series } from "./usage-series.ts";
import { useTimeLabel } from "./use-time-label.ts";

type UsageChartProps = {
  readonly series: Series;
  readonly by: Granularity;
  readonly format: (value: number) => string;
  readonly formatAxis: (value: number) => string;
};

const colorOf = (name: string, index: number): string => `var(--chart-${name === OTHER ? 8 : index + 1})`;

function useSeries({ names }: Series): readonly DrawnSeries[] {
  const { t } = useTranslation();
  return useMemo(
    () =>
      names.map((name, index) => ({
        name,
        label: name === OTHER ? t("其他") : name,
        color: colorOf(name, index),
      })),
    [names, t],
  );
}

/** Stacked bars by model; a click on the legend hides a series. */
export function UsageChart({ series, by, format, formatAxis }: UsageChartProps) {
  const { t } = useTranslation();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const label = useTimeLabel(by);
  const all = useSeries(series);
  const drawn = useMemo(() => all.filter(({ name }) => !hidden.has(name)), [all, hidden]);
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  return (
    <figure className="flex flex-col gap-3">
      <UsageBars
        buckets={series.buckets}
        drawn={drawn}
        label={label}
        format={format}
        formatAxis={formatAxis}
        description={t("每个时间段按模型堆叠的柱形，合计见下表")}
      />
      <figcaption className="flex flex-wrap gap-x-3">
        {all.map(({ name, label: text, color }) => (
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
            {text}
          </button>
        ))}
      </figcaption>
    </figure>
  );
}
