import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** The place of something that is still loading; as large as that will be. */
function Skeleton({ className, ...props }: ComponentProps<"div">) {
  return (
    <div data-slot="skeleton" className={cn("animate-pulse rounded-md bg-muted", className)} aria-hidden {...props} />
  );
}

export { Skeleton };
