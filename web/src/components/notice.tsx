import type { ReactNode } from "react";
import { cn } from "../lib/utils.ts";

const TONES = {
  good: "bg-good-soft text-good",
  warn: "bg-warn-soft text-warn",
  bad: "bg-destructive-soft text-destructive",
  info: "bg-info-soft text-info",
} as const;

type NoticeProps = { readonly tone: keyof typeof TONES; readonly className?: string; readonly children: ReactNode };

/** A permanent message on the page; screen readers announce errors at once, other messages when idle. */
export function Notice({ tone, className, children }: NoticeProps) {
  return (
    <p
      role={tone === "bad" ? "alert" : "status"}
      className={cn("rounded-lg px-3 py-2 text-[13px]", TONES[tone], className)}
    >
      {children}
    </p>
  );
}
