import { LoaderCircleIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** The sign that work is under way. What it decorates says so to a screen reader (`aria-busy`). */
function Spinner({ className, ...props }: ComponentProps<"svg">) {
  return (
    <LoaderCircleIcon data-slot="spinner" className={cn("size-4 animate-spin", className)} aria-hidden {...props} />
  );
}

export { Spinner };
