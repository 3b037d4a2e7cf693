import { useMemo } from "react";
import { CartesianGrid, Line, LineChart, XAxis, YAxis } from "recharts";
import { type ChartConfig, ChartContainer, ChartTooltip, ChartTooltipContent } from "../../components/ui/chart.tsx";

/** A line of the chart; where a value is undefined it breaks off. */
export type ChartLine = {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  readonly dashed?: boolean;
  readonly values: readonly (number | undefined)[];
};

type HealthLinesProps = {
  readonly starts: readonly number[];
  readonly lines: readonly ChartLine[];
  readonly label: (seconds: number) => string;
  readonly format: (value: number) => string;
  readonly description: string;
};

/** Lines over time with a tooltip of their values. */
export function HealthLines({ starts, lines, label, format, description }: HealthLinesProps) {
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
    <ChartContainer config={config} className="aspect-auto h-52 w-full">
      <LineChart data={rows} title={description} margin={{ top: 8, right: 12, bottom: 0, left: 0 }}>
        <CartesianGrid vertical={false} />
        <XAxis
          dataKey="startSeconds"
          tickFormatter={toLabel}
          tickLine={false}
          axisLine={false}
          interval="equidistantPreserveStart"
          minTickGap={24}
        />
        <YAxis tickFormatter={(value: number) => format(value)} tickLine={false} axisLine={false} width={56} />
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
        {lines.map(({ name, dashed }) => (
          <Line
            key={name}
            dataKey={name}
            stroke={`var(--color-${name})`}
            strokeWidth={2}
            {...(dashed === true ? { strokeDasharray: "5 4" } : {})}
            dot={{ r: 2.5, strokeWidth: 0, fill: `var(--color-${name})` }}
            isAnimationActive={false}
          />
        ))}
      </LineChart>
    </ChartContainer>
  );
}
