import { ChevronDown } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";
import { fieldClasses } from "./input.tsx";

/** One choice of a select; `label` is translated text. */
export type Option = { readonly value: string; readonly label: string };

type NativeSelectProps = Omit<ComponentProps<"select">, "value" | "onChange" | "children"> & {
  readonly value: string;
  readonly options: readonly Option[];
  readonly onValueChange: (value: string) => void;
};

/** The browser's own select: nothing to load, and a phone's picker on phones. `className` sizes it. */
export function NativeSelect({ value, options, onValueChange, className, ...props }: NativeSelectProps) {
  return (
    <div className={cn("relative", className)}>
      <select
        className={cn(fieldClasses, "h-full min-h-8 appearance-none truncate pr-8 [&>option]:bg-popover")}
        value={value}
        onChange={(event) => onValueChange(event.target.value)}
        {...props}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted-foreground"
        aria-hidden
      />
    </div>
  );
}
