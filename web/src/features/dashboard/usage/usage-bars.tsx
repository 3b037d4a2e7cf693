import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Bar, CartesianGrid, ComposedChart, Line, XAxis, YAxis } from "recharts";
import { type ChartConfig, ChartContainer, ChartTooltip, ChartTooltipContent } from "../../../components/ui/chart.tsx";
import type { Bucket } from "./usage-series.ts";
import type { Zoom } from "../use-zoom.ts";
import { ZoomBrush } from "../zoom-brush.tsx";
import { TIME_AXIS, VALUE_AXIS } from "../time-axes.ts";

/** A series of the chart; the first is at the bottom of every bar. */
export type ChartSeries = { readonly name: string; readonly label: string; readonly color: string };

export type UsageBarsProps = {
  readonly buckets: readonly Bucket[];
  readonly series: readonly ChartSeries[];
  /** The sums of the previous period, by bucket; absent without a comparison. */
  readonly previous: readonly number[] | undefined;
  readonly label: (seconds: number) => string;
  readonly format: (value: number) => string;
  readonly formatAxis: (value: number) => string;
  readonly description: string;
  readonly onSelect: (name: string) => void;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
};

const BAR_WIDTH_MAX = 40;
const PREVIOUS = "previous";

type Row = Readonly<Record<string, number>>;

/** Rows for recharts: model names contain dots, which it reads as paths, so series use their index as key. */
const toRows = ({ buckets, series, previous }: Pick<UsageBarsProps, "buckets" | "series" | "previous">): Row[] =>
  buckets.map(({ startSeconds, values }, index) => ({
    startSeconds,
    ...Object.fromEntries(series.map(({ name }, at) => [`s${at}`, values[name] ?? 0])),
    ...(previous ? { [PREVIOUS]: previous[index] ?? 0 } : {}),
  }));

/** Stacked bars over time with the previous period as a line. A click on a bar selects its series; the brush zooms. */
export function UsageBars(props: UsageBarsProps) {
  const { buckets, series, previous, label, format, formatAxis, description, onSelect, zoom, onZoom } = props;
  const { t } = useTranslation();
  const rows = useMemo(() => toRows({ buckets, series, previous }), [buckets, series, previous]);
  const config: ChartConfig = {
    ...Object.fromEntries(series.map(({ label: text, color }, at) => [`s${at}`, { label: text, color }])),
    [PREVIOUS]: { label: t("上一时段"), color: "var(--foreground)" },
  };
  const toLabel = (value: unknown): string => label(Number(value));
  return (
    <ChartContainer config={config} className="aspect-auto h-72 w-full">
      <ComposedChart data={rows} title={description} margin={{ top: 8, right: 4, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} />
        <XAxis {...TIME_AXIS} tickFormatter={toLabel} />
        <YAxis {...VALUE_AXIS} tickFormatter={(value: number) => formatAxis(value)} allowDecimals={false} />
        <ChartTooltip
          content={({ active, payload, label: at }) => (
            <ChartTooltipContent
              active={active}
              payload={payload.filter(({ dataKey, value }) => dataKey === PREVIOUS || Number(value) > 0)}
              label={at}
              labelFormatter={toLabel}
              formatter={(value) => format(value)}
              footer={(items) => (
                <p className="flex justify-between gap-3 font-medium tabular-nums">
                  {t("合计")}
                  <span>
                    {format(
                      items.reduce((sum, { dataKey, value }) => (dataKey === PREVIOUS ? sum : sum + Number(value)), 0),
                    )}
                  </span>
                </p>
              )}
            />
          )}
        />
        {series.map(({ name }, at) => (
          <Bar
            key={name}
            dataKey={`s${at}`}
            stackId="usage"
            fill={`var(--color-s${at})`}
            maxBarSize={BAR_WIDTH_MAX}
            isAnimationActive={false}
            className="cursor-pointer"
            onClick={() => onSelect(name)}
          />
        ))}
        {previous && (
          <Line
            dataKey={PREVIOUS}
            stroke={`var(--color-${PREVIOUS})`}
            strokeWidth={1.5}
            strokeDasharray="4 4"
            dot={false}
            isAnimationActive={false}
          />
        )}
        <ZoomBrush count={rows.length} toLabel={toLabel} zoom={zoom} onZoom={onZoom} />
      </ComposedChart>
    </ChartContainer>
  );
}
