import type { ComponentProps } from "react";
import { Input } from "../ui/input.tsx";

type NumberInputProps = Omit<ComponentProps<"input">, "value" | "onChange" | "type"> & {
  /** NaN for an empty field. */
  readonly value: number;
  readonly onValueChange: (value: number) => void;
};

/** A number field whose value is a number; empty is NaN, which every number schema rejects. */
export function NumberInput({ value, onValueChange, ...props }: NumberInputProps) {
  return (
    <Input
      type="number"
      inputMode="decimal"
      step="any"
      value={Number.isNaN(value) ? "" : value}
      onChange={(event) => onValueChange(event.target.valueAsNumber)}
      {...props}
    />
  );
}
