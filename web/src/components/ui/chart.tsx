import { type ComponentProps, createContext, type CSSProperties, type ReactNode, useContext, useMemo } from "react";
import { ResponsiveContainer, Tooltip, type TooltipContentProps, type TooltipPayloadEntry } from "recharts";
import { cn } from "@/lib/utils";

/** Label and colour of each series, by its key. A colour is a token, such as `var(--chart-1)`, or one per theme. */
export type ChartConfig = Readonly<
  Record<
    string,
    { readonly label?: ReactNode } & (
      | { readonly color?: string; readonly theme?: never }
      | { readonly color?: never; readonly theme: { readonly light: string; readonly dark: string } }
    )
  >
>;

const ChartContext = createContext<{ readonly config: ChartConfig } | undefined>(undefined);

function useChart(): { readonly config: ChartConfig } {
  const context = useContext(ChartContext);
  if (!context) throw new Error("useChart must be used within a <ChartContainer />");
  return context;
}

/** The colours as CSS variables, `--color-<key>`. */
const toVariables = (config: ChartConfig): CSSProperties =>
  Object.fromEntries(
    Object.entries(config).flatMap(([key, { color, theme }]) => {
      const value = theme ? `light-dark(${theme.light}, ${theme.dark})` : color;
      return value === undefined ? [] : [[`--color-${key}`, value]];
    }),
  );

type ChartContainerProps = ComponentProps<"div"> & {
  readonly config: ChartConfig;
  readonly children: ComponentProps<typeof ResponsiveContainer>["children"];
};

/** The container of a chart: sets colours and labels of its series and fits the chart into the space. */
export function ChartContainer({ className, config, children, style, ...props }: ChartContainerProps) {
  const context = useMemo(() => ({ config }), [config]);
  const variables = useMemo(() => toVariables(config), [config]);
  return (
    <ChartContext.Provider value={context}>
      <div
        data-slot="chart"
        className={cn(
          "flex aspect-video justify-center text-xs [&_text]:fill-muted-foreground [&_.recharts-cartesian-grid_line]:stroke-border [&_.recharts-curve.recharts-tooltip-cursor]:stroke-border [&_.recharts-rectangle.recharts-tooltip-cursor]:fill-muted [&_.recharts-surface:focus-visible]:outline-2 [&_.recharts-surface:focus-visible]:outline-ring",
          className,
        )}
        style={{ ...variables, ...style }}
        {...props}
      >
        <ResponsiveContainer>{children}</ResponsiveContainer>
      </div>
    </ChartContext.Provider>
  );
}

/** The tooltip of a chart; its content is a <ChartTooltipContent />. */
export const ChartTooltip = Tooltip;

const toKey = (value: unknown): string => (typeof value === "string" || typeof value === "number" ? String(value) : "");

function Indicator({ kind, color }: { readonly kind: "dot" | "line" | "dashed"; readonly color: string | undefined }) {
  return (
    <span
      aria-hidden
      className={cn(
        "shrink-0 rounded-xs",
        kind === "dot" && "size-2.5",
        kind === "line" && "h-3 w-1",
        kind === "dashed" && "h-3 w-0 border-[1.5px] border-dashed",
      )}
      style={kind === "dashed" ? { borderColor: color } : { background: color }}
    />
  );
}

type ChartTooltipContentProps = {
  readonly active?: boolean | undefined;
  readonly payload?: readonly TooltipPayloadEntry[] | undefined;
  readonly label?: TooltipContentProps["label"];
  readonly className?: string;
  readonly indicator?: "dot" | "line" | "dashed";
  readonly hideLabel?: boolean;
  readonly hideIndicator?: boolean;
  readonly labelFormatter?: (label: ReactNode, payload: readonly TooltipPayloadEntry[]) => ReactNode;
  /** Formats a value; by default numbers are formatted in the user's language. */
  readonly formatter?: (value: number, name: string, item: TooltipPayloadEntry) => ReactNode;
  /** Shown below the series, such as their sum. */
  readonly footer?: (payload: readonly TooltipPayloadEntry[]) => ReactNode;
};

/** The values of the series at one point of a chart. */
export function ChartTooltipContent({
  active,
  payload,
  label,
  className,
  indicator = "dot",
  hideLabel = false,
  hideIndicator = false,
  labelFormatter,
  formatter,
  footer,
}: ChartTooltipContentProps) {
  const { config } = useChart();
  if (active !== true || !payload || payload.length === 0) return null;
  return (
    <div
      data-slot="chart-tooltip-content"
      className={cn("grid max-w-72 min-w-32 gap-1.5 rounded-lg border bg-popover px-2.5 py-1.5 text-xs", className)}
    >
      {!hideLabel && <p className="font-medium">{labelFormatter ? labelFormatter(label, payload) : label}</p>}
      <ul className="grid gap-1">
        {payload.map((item) => {
          const key = toKey(item.dataKey);
          const name = config[key]?.label ?? item.name;
          return (
            <li key={key} className="flex items-center gap-1.5">
              {!hideIndicator && <Indicator kind={indicator} color={item.color ?? `var(--color-${key})`} />}
              <span className="min-w-0 truncate text-muted-foreground">{name}</span>
              <span className="ml-auto pl-3 whitespace-nowrap tabular-nums">
                {formatter ? formatter(Number(item.value), key, item) : Number(item.value).toLocaleString()}
              </span>
            </li>
          );
        })}
      </ul>
      {footer?.(payload)}
    </div>
  );
}
