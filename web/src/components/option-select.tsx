import type { ComponentProps } from "react";
import { cn } from "../lib/utils.ts";
import { Select, SelectContent, SelectItem, SelectTrigger, SelectValue } from "./ui/select.tsx";

/** One choice of a select; `label` is translated text. */
export type Option = { readonly value: string; readonly label: string };

type OptionSelectProps = Omit<ComponentProps<typeof SelectTrigger>, "value" | "onChange" | "children"> & {
  readonly value: string;
  readonly options: readonly Option[];
  readonly onValueChange: (value: string) => void;
};

// Radix reserves the empty string for "nothing chosen"; here it is a value like any other ("all", "none").
const toItemValue = (value: string): string => `=${value}`;

/** A select over a list of options. `className` sizes its button. */
export function OptionSelect({ value, options, onValueChange, className, ...props }: OptionSelectProps) {
  return (
    <Select value={toItemValue(value)} onValueChange={(next) => onValueChange(next.slice(1))}>
      <SelectTrigger className={cn("w-auto max-w-full min-w-0", className)} {...props}>
        <SelectValue />
      </SelectTrigger>
      <SelectContent>
        {options.map((option) => (
          <SelectItem key={option.value} value={toItemValue(option.value)}>
            {option.label}
          </SelectItem>
        ))}
      </SelectContent>
    </Select>
  );
}
