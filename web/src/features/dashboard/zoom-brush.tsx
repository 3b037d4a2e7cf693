import { useTranslation } from "react-i18next";
import { Brush } from "recharts";
import type { Zoom } from "./use-zoom.ts";

type ZoomBrushProps = {
  /** The number of points of the chart. */
  readonly count: number;
  readonly toLabel: (value: unknown) => string;
  readonly zoom: Zoom;
  readonly onZoom: (zoom: Zoom) => void;
};

type HandleProps = { readonly x?: number; readonly y?: number; readonly width?: number; readonly height?: number };

const BRUSH_HEIGHT = 20;
const HANDLE = { width: 8, height: 20, radius: 4 } as const;

/** The handle at one end of the shown range. */
function Handle({ x = 0, y = 0, width = HANDLE.width, height = HANDLE.height }: HandleProps) {
  const middle = x + width / 2;
  return (
    <g>
      <rect
        x={x}
        y={y + (height - HANDLE.height) / 2}
        width={width}
        height={HANDLE.height}
        rx={HANDLE.radius}
        className="fill-background stroke-muted-foreground"
      />
      <line x1={middle} x2={middle} y1={y + 7} y2={y + height - 7} className="stroke-muted-foreground" />
    </g>
  );
}

/** The bar below a chart that selects the shown range; its look is in index.css. */
export function ZoomBrush({ count, toLabel, zoom, onZoom }: ZoomBrushProps) {
  const { t } = useTranslation();
  return (
    <Brush
      dataKey="startSeconds"
      startIndex={zoom.first}
      endIndex={zoom.last}
      height={BRUSH_HEIGHT}
      travellerWidth={HANDLE.width}
      traveller={Handle}
      tickFormatter={toLabel}
      fill="var(--muted)"
      stroke="var(--muted-foreground)"
      ariaLabel={t("选择时间段")}
      onChange={({ startIndex, endIndex }) => onZoom({ first: startIndex ?? 0, last: endIndex ?? count - 1 })}
    />
  );
}
