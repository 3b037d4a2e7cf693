import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from "recharts";
import { cn } from "../../lib/cn.ts";
import { type Granularity, OTHER, type Series } from "./usage-series.ts";

type UsageChartProps = {
  readonly series: Series;
  readonly by: Granularity;
  readonly format: (value: number) => string;
  readonly formatAxis: (value: number) => string;
};

const colorOf = (name: string, index: number): string => `var(--chart-${name === OTHER ? 8 : index + 1})`;

function useTimeLabel(by: Granularity): (seconds: number) => string {
  const { i18n } = useTranslation();
  const format = new Intl.DateTimeFormat(i18n.language === "en" ? "en-US" : "zh-CN", {
    month: "numeric",
    day: "numeric",
    ...(by === "hour" ? { hour: "2-digit", minute: "2-digit", hour12: false } : {}),
  });
  return (seconds) => format.format(seconds * 1000);
}

/** Stacked bars by model; a click on the legend hides a series. */
export function UsageChart({ series, by, format, formatAxis }: UsageChartProps) {
  const { t } = useTranslation();
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  const label = useTimeLabel(by);
  const nameOf = (name: string): string => (name === OTHER ? t("其他") : name);
  const toggle = (name: string): void => {
    const next = new Set(hidden);
    if (!next.delete(name)) next.add(name);
    setHidden(next);
  };
  return (
    <figure className="flex flex-col gap-3">
      <div className="h-64" aria-hidden>
        <ResponsiveContainer width="100%" height="100%">
          <BarChart data={[...series.buckets]} margin={{ top: 4, right: 4, bottom: 0, left: 0 }}>
            <CartesianGrid vertical={false} stroke="var(--border)" />
            <XAxis
              dataKey="startSeconds"
              tickFormatter={label}
              tickLine={false}
              axisLine={false}
              minTickGap={32}
              tick={{ fontSize: 11, fill: "var(--muted-foreground)" }}
            />
            <YAxis
              width={56}
              tickFormatter={formatAxis}
              tickLine={false}
              axisLine={false}
              tick={{ fontSize: 11, fill: "var(--muted-foreground)" }}
            />
            <Tooltip
              cursor={{ fill: "var(--muted)" }}
              isAnimationActive={false}
              labelFormatter={(seconds) => label(Number(seconds))}
              formatter={(value, name) => [format(Number(value)), nameOf(String(name))]}
              contentStyle={{
                background: "var(--popover)",
                border: "1px solid var(--border)",
                borderRadius: 8,
                fontSize: 12,
              }}
              itemStyle={{ color: "var(--foreground)", padding: 0 }}
            />
            {series.names.map((name, index) => (
              <Bar
                key={name}
                name={name}
                dataKey={(bucket: Series["buckets"][number]) => bucket.values[name] ?? 0}
                stackId="models"
                fill={colorOf(name, index)}
                hide={hidden.has(name)}
                maxBarSize={40}
                isAnimationActive={false}
              />
            ))}
          </BarChart>
        </ResponsiveContainer>
      </div>
      <figcaption className="flex flex-wrap gap-x-3 gap-y-1">
        {series.names.map((name, index) => (
          <button
            key={name}
            type="button"
            aria-pressed={!hidden.has(name)}
            className={cn(
              "flex items-center gap-1.5 rounded-sm text-xs",
              hidden.has(name) && "text-muted-foreground line-through",
            )}
            onClick={() => toggle(name)}
          >
            <span className="size-2.5 rounded-xs" style={{ background: colorOf(name, index) }} aria-hidden />
            {nameOf(name)}
          </button>
        ))}
      </figcaption>
    </figure>
  );
}
