import type { ComponentProps } from "react";
import { cn } from "../lib/utils.ts";
import { Badge } from "./ui/badge.tsx";

const TONES = {
  neutral: "bg-secondary text-muted-foreground",
  good: "bg-good-soft text-good",
  lime: "bg-lime-soft text-lime",
  warn: "bg-warn-soft text-warn",
  bad: "bg-destructive-soft text-destructive",
  info: "bg-info-soft text-info",
  outline: "border-border text-muted-foreground",
} as const;

export type StatusTone = keyof typeof TONES;

type StatusBadgeProps = Omit<ComponentProps<typeof Badge>, "variant" | "asChild"> & {
  readonly tone?: StatusTone;
  /** A dot before the text marks a state that may change. */
  readonly dot?: boolean;
};

/** A badge in one of the state colours. The text carries the meaning, the colour repeats it. */
export function StatusBadge({ className, tone = "neutral", dot = false, children, ...props }: StatusBadgeProps) {
  return (
    <Badge variant="outline" className={cn("border-transparent", TONES[tone], className)} {...props}>
      {dot && <span className="size-1.5 shrink-0 rounded-full bg-current" aria-hidden />}
      <span className="truncate">{children}</span>
    </Badge>
  );
}
