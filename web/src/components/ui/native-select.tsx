import { ChevronDownIcon } from "lucide-react";
import type { ComponentProps } from "react";
import { cn } from "@/lib/utils";

/**
 * The browser's own select, for lists without an upper limit, such as a site's models: it opens hundreds of options
 * without rendering them, and on a phone it is the system's picker.
 */
function NativeSelect({ className, ...props }: ComponentProps<"select">) {
  return (
    <div data-slot="native-select-wrapper" className="group/native-select relative has-[select:disabled]:opacity-50">
      <select
        data-slot="native-select"
        className={cn(
          "h-9 w-full min-w-0 appearance-none truncate rounded-lg border border-input bg-background pr-8 pl-3 text-sm transition-colors focus-visible:border-ring focus-visible:outline-2 focus-visible:outline-offset-0 focus-visible:outline-ring/40 aria-invalid:border-destructive max-sm:text-base",
          className,
        )}
        {...props}
      />
      <ChevronDownIcon
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted-foreground"
        data-slot="native-select-icon"
        aria-hidden
      />
    </div>
  );
}

function NativeSelectOption({ className, ...props }: ComponentProps<"option">) {
  return <option data-slot="native-select-option" className={cn("bg-popover", className)} {...props} />;
}

function NativeSelectOptGroup({ className, ...props }: ComponentProps<"optgroup">) {
  return <optgroup data-slot="native-select-optgroup" className={cn("bg-popover", className)} {...props} />;
}

export { NativeSelect, NativeSelectOptGroup, NativeSelectOption };
