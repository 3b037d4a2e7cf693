import { useState } from "react";
import { axisTicks, labelStride } from "./chart-scale.ts";
import { useWidth } from "./use-width.ts";

/** A line as it is drawn; where a value is undefined it breaks off. */
export type DrawnLine = {
  readonly name: string;
  readonly label: string;
  readonly color: string;
  readonly dashed?: boolean;
  readonly values: readonly (number | undefined)[];
};

type HealthLinesProps = {
  readonly starts: readonly number[];
  readonly lines: readonly DrawnLine[];
  readonly label: (seconds: number) => string;
  readonly format: (value: number) => string;
  readonly description: string;
};

const HEIGHT = 200;
const EDGES = { top: 8, right: 12, bottom: 24, left: 56 } as const;
const PLOT_HEIGHT = HEIGHT - EDGES.top - EDGES.bottom;
const LABEL_GAP = 32;
const CHARACTER_WIDTH = 7;
const DOT = 2.5;

type Scale = { readonly x: (index: number) => number; readonly y: (value: number) => number };

/** The stretches of a line between its gaps. */
function stretches(values: readonly (number | undefined)[]): { readonly index: number; readonly value: number }[][] {
  const found: { index: number; value: number }[][] = [[]];
  values.forEach((value, index) => {
    if (value === undefined) found.push([]);
    else found.at(-1)?.push({ index, value });
  });
  return found.filter((points) => points.length > 0);
}

function Line({ line, x, y }: Scale & { readonly line: DrawnLine }) {
  return stretches(line.values).map((points) => (
    <g key={points[0]?.index}>
      <path
        d={points.map(({ index, value }, at) => `${at === 0 ? "M" : "L"}${x(index)} ${y(value)}`).join("")}
        fill="none"
        stroke={line.color}
        strokeWidth={2}
        strokeLinejoin="round"
        strokeDasharray={line.dashed === true ? "5 4" : undefined}
      />
      {points.length === 1 && points[0] && (
        <circle cx={x(points[0].index)} cy={y(points[0].value)} r={DOT} fill={line.color} />
      )}
    </g>
  ));
}

type BubbleProps = Pick<HealthLinesProps, "starts" | "lines" | "label" | "format"> & {
  readonly index: number;
  readonly width: number;
  readonly left: number;
};

function Bubble({ starts, lines, label, format, index, width, left }: BubbleProps) {
  const side = left < width / 2 ? { left: left + 10 } : { right: width - left + 10 };
  return (
    <div
      className="pointer-events-none absolute top-2 z-10 max-w-64 rounded-lg border bg-popover px-2.5 py-2 text-xs"
      style={side}
    >
      <p className="mb-1 font-medium">{label(starts[index] ?? 0)}</p>
      <ul className="flex flex-col gap-0.5">
        {lines.map(({ name, label: text, color, values }) => {
          const value = values[index];
          return (
            <li key={name} className="flex items-center gap-1.5">
              <span className="size-2 shrink-0 rounded-xs" style={{ background: color }} />
              <span>{text}</span>
              <span className="ml-auto pl-3 whitespace-nowrap tabular-nums">
                {value === undefined ? "—" : format(value)}
              </span>
            </li>
          );
        })}
      </ul>
    </div>
  );
}

/** Lines over time; the moment under the pointer says what its values are. */
export function HealthLines({ starts, lines, label, format, description }: HealthLinesProps) {
  const [width, watch] = useWidth();
  const [active, setActive] = useState<number>();
  const values = lines.flatMap((line) => line.values.filter((value) => value !== undefined));
  const ticks = axisTicks(Math.max(0, ...values));
  const max = ticks.at(-1) ?? 1;
  const plot = Math.max(0, width - EDGES.left - EDGES.right);
  const band = plot / Math.max(1, starts.length);
  const x = (index: number): number => (index + 0.5) * band;
  const y = (value: number): number => PLOT_HEIGHT * (1 - value / max);
  const labels = starts.map(label);
  const labelWidth = Math.max(1, ...labels.map(({ length }) => length)) * CHARACTER_WIDTH + LABEL_GAP;
  const stride = labelStride(starts.length, plot, labelWidth);
  const point = (event: React.PointerEvent): void => {
    const index = Math.floor((event.clientX - event.currentTarget.getBoundingClientRect().left - EDGES.left) / band);
    setActive(index >= 0 && index < starts.length ? index : undefined);
  };
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
            <g className="fill-muted-foreground text-[11px] tabular-nums">
              {ticks.map((tick) => (
                <g key={tick} transform={`translate(0 ${y(tick)})`}>
                  <line x2={plot} stroke="var(--border)" />
                  <text x={-8} dy="0.32em" textAnchor="end">
                    {format(tick)}
                  </text>
                </g>
              ))}
              {labels.map((text, index) =>
                index % stride === Math.floor((stride - 1) / 2) ? (
                  <text key={starts[index]} x={x(index)} y={PLOT_HEIGHT + 17} textAnchor="middle">
                    {text}
                  </text>
                ) : null,
              )}
            </g>
            {active !== undefined && <line x1={x(active)} x2={x(active)} y2={PLOT_HEIGHT} stroke="var(--border)" />}
            {lines.map((line) => (
              <Line key={line.name} line={line} x={x} y={y} />
            ))}
          </g>
        </svg>
      )}
      {active !== undefined && (
        <Bubble {...{ starts, lines, label, format, width }} index={active} left={EDGES.left + x(active)} />
      )}
    </div>
  );
}
