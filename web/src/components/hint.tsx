import type { ReactNode } from "react";
import { Tooltip, TooltipContent, TooltipTrigger } from "./ui/tooltip.tsx";

type HintProps = {
  /** Without a text there is no tooltip. */
  readonly text: ReactNode;
  readonly children: ReactNode;
  readonly side?: "top" | "right" | "bottom";
};

/** A tooltip with `text` on its child; the child is focusable when keyboard users need the text. */
export function Hint({ text, children, side = "top" }: HintProps) {
  if (text === undefined || text === "") return <>{children}</>;
  return (
    <Tooltip>
      <TooltipTrigger
        asChild
        // Focus that returns from a closed dialog opens no tooltip.
        onFocus={(event) => !event.currentTarget.matches(":focus-visible") && event.preventDefault()}
      >
        {children}
      </TooltipTrigger>
      <TooltipContent side={side}>{text}</TooltipContent>
    </Tooltip>
  );
}
