import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/** A text field of several lines. */
function Textarea({ className, ...props }: ComponentProps<"textarea">) {
  return (
    <textarea
      data-slot="textarea"
      className={cn(
        "min-h-20 w-full min-w-0 rounded-lg border border-input bg-background px-3 py-2 text-sm transition-colors placeholder:text-muted-foreground/80 focus-visible:border-ring focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-ring/40 disabled:opacity-50 aria-invalid:border-destructive aria-invalid:focus-visible:outline-destructive/40 max-sm:text-base",
        className,
      )}
      {...props}
    />
  );
}

export { Textarea };
