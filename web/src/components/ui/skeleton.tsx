import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** The placeholder of content that is loading, in the same size. */
function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return (
    <div data-slot="skeleton" className={cn("animate-pulse rounded-md bg-muted", className)} aria-hidden {...props} />
  );
}

export { Skeleton };
