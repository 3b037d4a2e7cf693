import { LoaderCircleIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** The busy indicator. The element around it informs screen readers (`aria-busy`). */
function Spinner({ className, ...props }: ComponentProps<"svg">) {
  return (
    <LoaderCircleIcon data-slot="spinner" className={cn("size-4 animate-spin", className)} aria-hidden {...props} />
  );
}

export { Spinner };
