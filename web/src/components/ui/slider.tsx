import type { ComponentProps, CSSProperties } from "react";
import { cn } from "@/lib/utils";

type SliderProps = Omit<ComponentProps<"input">, "type" | "value" | "min" | "max"> & {
  readonly value: number;
  readonly min: number;
  readonly max: number;
};

/** A number on a track. The part of the track before the thumb is filled. */
function Slider({ className, style, value, min, max, ...props }: SliderProps) {
  const filled = { "--filled": `${((value - min) / (max - min)) * 100}%` } as CSSProperties;
  return (
    <input
      type="range"
      data-slot="slider"
      className={cn(
        "slider h-5 w-full cursor-pointer appearance-none rounded-full bg-transparent focus-visible:outline-none disabled:opacity-50",
        className,
      )}
      style={{ ...filled, ...style }}
      value={value}
      min={min}
      max={max}
      {...props}
    />
  );
}

export { Slider };
