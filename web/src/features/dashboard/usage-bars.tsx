import { memo, useState } from "react";
import { axisTicks, labelStride } from "./chart-scale.ts";
import type { Bucket } from "./usage-series.ts";
import { useWidth } from "./use-width.ts";

/** A series as it is drawn; the first is at the bottom of every bar. */
export type DrawnSeries = { readonly name: string; readonly label: string; readonly color: string };

type UsageBarsProps = {
  readonly buckets: readonly Bucket[];
  readonly drawn: readonly DrawnSeries[];
  readonly label: (seconds: number) => string;
  readonly format: (value: number) => string;
  readonly formatAxis: (value: number) => string;
  readonly description: string;
};

const HEIGHT = 256;
const EDGES = { top: 8, right: 4, bottom: 24, left: 56 } as const;
const PLOT_HEIGHT = HEIGHT - EDGES.top - EDGES.bottom;
const BAR_WIDTH_MAX = 40;
const BAR_SHARE = 0.8;
const LABEL_GAP = 32;
const CHARACTER_WIDTH = 7;

type Stacked = UsageBarsProps & { readonly band: number; readonly max: number };

const heightOf = (value: number, max: number): number => (value / max) * PLOT_HEIGHT;
const totalOf = ({ values }: Bucket, drawn: readonly DrawnSeries[]): number =>
  drawn.reduce((total, { name }) => total + (values[name] ?? 0), 0);

function Bar({ bucket, drawn, band, max }: Pick<Stacked, "drawn" | "band" | "max"> & { readonly bucket: Bucket }) {
  const width = Math.min(BAR_WIDTH_MAX, band * BAR_SHARE);
  let below = 0;
  return drawn.map(({ name, color }) => {
    const value = bucket.values[name] ?? 0;
    if (value <= 0) return null;
    const height = heightOf(value, max);
    below += height;
    return (
      <rect key={name} x={(band - width) / 2} y={PLOT_HEIGHT - below} width={width} height={height} fill={color} />
    );
  });
}

const Bars = memo(function Bars({ buckets, ...stacked }: Pick<Stacked, "buckets" | "drawn" | "band" | "max">) {
  return buckets.map((bucket, index) => (
    <g key={bucket.startSeconds} transform={`translate(${index * stacked.band} 0)`}>
      <Bar bucket={bucket} {...stacked} />
    </g>
  ));
});

function Axes({ buckets, label, formatAxis, band, max, ticks }: Stacked & { readonly ticks: readonly number[] }) {
  const labels = buckets.map(({ startSeconds }) => label(startSeconds));
  const labelWidth = Math.max(...labels.map(({ length }) => length)) * CHARACTER_WIDTH + LABEL_GAP;
  const plotWidth = band * buckets.length;
  const stride = labelStride(buckets.length, plotWidth, labelWidth);
  return (
    <g className="fill-muted-foreground text-[11px] tabular-nums">
      {ticks.map((tick) => (
        <g key={tick} transform={`translate(0 ${PLOT_HEIGHT - heightOf(tick, max)})`}>
          <line x2={plotWidth} stroke="var(--border)" />
          <text x={-8} dy="0.32em" textAnchor="end">
            {formatAxis(tick)}
          </text>
        </g>
      ))}
      {labels.map((text, index) =>
        index % stride === Math.floor((stride - 1) / 2) ? (
          <text key={buckets[index]?.startSeconds} x={(index + 0.5) * band} y={PLOT_HEIGHT + 17} textAnchor="middle">
            {text}
          </text>
        ) : null,
      )}
    </g>
  );
}

type BubbleProps = Pick<Stacked, "drawn" | "label" | "format" | "band"> & {
  readonly bucket: Bucket;
  readonly index: number;
  readonly width: number;
};

/** What one bar is made of, beside it on the roomier side. */
function Bubble({ bucket, index, drawn, label, format, band, width }: BubbleProps) {
  const center = EDGES.left + (index + 0.5) * band;
  const side = center < width / 2 ? { left: center + band / 2 + 8 } : { right: width - center + band / 2 + 8 };
  return (
    <div
      className="pointer-events-none absolute top-2 z-10 max-w-64 rounded-lg border bg-popover px-2.5 py-2 text-xs"
      style={side}
    >
      <p className="mb-1 font-medium">{label(bucket.startSeconds)}</p>
      <ul className="flex flex-col gap-0.5">
        {drawn.map(({ name, label: text, color }) => {
          const value = bucket.values[name] ?? 0;
          if (value <= 0) return null;
          return (
            <li key={name} className="flex items-center gap-1.5">
              <span className="size-2 shrink-0 rounded-xs" style={{ background: color }} />
              <span className="min-w-0 truncate">{text}</span>
              <span className="ml-auto pl-3 whitespace-nowrap tabular-nums">{format(value)}</span>
            </li>
          );
        })}
        <li className="text-right font-medium tabular-nums">{format(totalOf(bucket, drawn))}</li>
      </ul>
    </div>
  );
}

/** Stacked bars over time. The bar under the pointer says what it is made of. */
export function UsageBars(props: UsageBarsProps) {
  const { buckets, drawn, description } = props;
  const [width, watch] = useWidth();
  const [active, setActive] = useState<number>();
  const ticks = axisTicks(Math.max(0, ...buckets.map((bucket) => totalOf(bucket, drawn))));
  const max = ticks.at(-1) ?? 1;
  const band = Math.max(0, width - EDGES.left - EDGES.right) / Math.max(1, buckets.length);
  const point = (event: React.PointerEvent): void => {
    const index = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - EDGES.left) / band);
    setActive(index >= 0 && index < buckets.length ? index : undefined);
  };
  const bucket = active === undefined ? undefined : buckets[active];
  return (
    <div
      ref={watch}
      className="relative"
      style={{ height: HEIGHT }}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => setActive(undefined)}
    >
      {width > 0 && (
        <svg role="img" aria-label={description} width={width} height={HEIGHT}>
          <g transform={`translate(${EDGES.left} ${EDGES.top})`}>
            {bucket && active !== undefined && (
              <rect x={active * band} width={band} height={PLOT_HEIGHT} fill="var(--muted)" />
            )}
            <Axes {...props} band={band} max={max} ticks={ticks} />
            <Bars buckets={buckets} drawn={drawn} band={band} max={max} />
          </g>
        </svg>
      )}
      {bucket && active !== undefined && totalOf(bucket, drawn) > 0 && (
        <Bubble {...props} bucket={bucket} index={active} band={band} width={width} />
      )}
    </div>
  );
}
