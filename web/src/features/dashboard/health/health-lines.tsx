import { useMemo } from "react";
import { CartesianGrid, Line, LineChart, XAxis, YAxis } from "recharts";
import { type ChartConfig, ChartContainer, ChartTooltip, ChartTooltipContent } from "../../../components/ui/chart.tsx";
import type { Zoom } from "../use-zoom.ts";
import { ZoomBrush } from "../zoom-brush.tsx";
import { TIME_AXIS, VALUE_AXIS } from "../time-axes.ts";

/** A line of the chart; an undefined value interrupts it. */
export type ChartLine = {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  /** The pattern of a dashed line. */
  readonly dashes?: string;
  readonly values: readonly (number | undefined)[];
};

type HealthLinesProps = {
  readonly starts: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly label: (seconds: number) => string;
  readonly format: (value: number) => string;
  readonly description: string;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
};

/** Lines over time with a tooltip of their values; the brush zooms. */
export function HealthLines(props: HealthLinesProps) {
  const { starts, lines, label, format, description, zoom, onZoom } = props;
  const rows = useMemo(
    () =>
      starts.map((startSeconds, index) => ({
        startSeconds,
        ...Object.fromEntries(lines.map(({ name, values }) => [name, values[index]])),
      })),
    [starts, lines],
  );
  const config: ChartConfig = Object.fromEntries(
    lines.map(({ name, label: text, color }) => [name, { label: text, color }]),
  );
  const toLabel = (value: unknown): string => label(Number(value));
  return (
    <ChartContainer config={config} className="aspect-auto h-60 w-full">
      <LineChart data={rows} title={description} margin={{ top: 8, right: 12, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} />
        <XAxis {...TIME_AXIS} tickFormatter={toLabel} />
        <YAxis {...VALUE_AXIS} tickFormatter={(value: number) => format(value)} />
        <ChartTooltip
          content={({ active, payload, label: at }) => (
            <ChartTooltipContent
              active={active}
              payload={payload}
              label={at}
              labelFormatter={toLabel}
              formatter={(value) => format(value)}
            />
          )}
        />
        {lines.map(({ name, dashes }) => (
          <Line
            key={name}
            dataKey={name}
            stroke={`var(--color-${name})`}
            strokeWidth={2}
            {...(dashes === undefined ? {} : { strokeDasharray: dashes })}
            dot={{ r: 2.5, strokeWidth: 0, fill: `var(--color-${name})` }}
            isAnimationActive={false}
          />
        ))}
        <ZoomBrush count={rows.length} toLabel={toLabel} zoom={zoom} onZoom={onZoom} />
      </LineChart>
    </ChartContainer>
  );
}
