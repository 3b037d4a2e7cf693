import type { ComponentProps } from "react";
import { Input } from "../ui/input.tsx";

const pad = (number: number): string => String(number).padStart(2, "0");

function toLocal(seconds: number): string {
  const at = new Date(seconds * 1000);
  return `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`;
}

type DateInputProps = Omit<ComponentProps<"input">, "value" | "onChange" | "type"> & {
  /** Unix seconds; undefined for an empty field. */
  readonly seconds: number | undefined;
  readonly onSecondsChange: (seconds: number | undefined) => void;
};

/** Date and time in the user's time zone, as unix seconds. */
export function DateInput({ seconds, onSecondsChange, ...props }: DateInputProps) {
  return (
    <Input
      type="datetime-local"
      step={1}
      value={seconds === undefined ? "" : toLocal(seconds)}
      onChange={(event) => {
        const at = new Date(event.target.value).getTime();
        onSecondsChange(Number.isNaN(at) ? undefined : Math.floor(at / 1000));
      }}
      {...props}
    />
  );
}
