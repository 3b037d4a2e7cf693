import { Check, Minus } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "../../lib/cn.ts";

type CheckboxProps = Omit<ComponentProps<"input">, "type" | "checked" | "onChange" | "ref"> & {
  readonly checked: boolean | "indeterminate";
  readonly onCheckedChange: (checked: boolean) => void;
};

const markClasses = "pointer-events-none absolute inset-0 m-auto hidden size-3.5 text-primary-foreground";

/** The browser's own checkbox in the console's look; "indeterminate" is for some of many. */
export function Checkbox({ className, checked, onCheckedChange, ...props }: CheckboxProps) {
  return (
    <span className={cn("relative inline-flex size-4 shrink-0 align-middle", className)}>
      <input
        ref={(input) => {
          if (input) input.indeterminate = checked === "indeterminate";
        }}
        type="checkbox"
        checked={checked === true}
        className="peer size-full appearance-none rounded-sm border border-input bg-background checked:border-primary checked:bg-primary indeterminate:border-primary indeterminate:bg-primary disabled:opacity-50"
        onChange={(event) => onCheckedChange(event.target.checked)}
        {...props}
      />
      <Check className={cn(markClasses, "peer-checked:block peer-indeterminate:hidden")} aria-hidden />
      <Minus className={cn(markClasses, "peer-indeterminate:block")} aria-hidden />
    </span>
  );
}
