import { cn } from "@/lib/utils";

type SeriesLegendProps = {
  readonly series: readonly { readonly name: string; readonly label: string; readonly color: string }[];
  readonly hidden: ReadonlySet<string>;
  readonly onToggle: (name: string) => void;
};

/** The legend of a chart; a click hides or shows a series. */
export const SeriesLegend = ({ series, hidden, onToggle }: SeriesLegendProps) => (
  <figcaption className="flex flex-wrap gap-x-3">
    {series.map(({ name, label, color }) => (
      <button
        key={name}
        type="button"
        aria-pressed={!hidden.has(name)}
        className={cn(
          "flex min-h-6 items-center gap-1.5 rounded-sm text-xs",
          hidden.has(name) && "text-muted-foreground line-through",
        )}
        onClick={() => onToggle(name)}
      >
        <span className="size-2.5 rounded-xs" style={{ background: color }} aria-hidden />
        {label}
      </button>
    ))}
  </figcaption>
);
