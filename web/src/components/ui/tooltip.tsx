import { Tooltip as TooltipPrimitive } from "radix-ui";
import type { ReactNode } from "react";

export const TooltipProvider = TooltipPrimitive.Provider;

type HintProps = { readonly text: ReactNode; readonly children: ReactNode; readonly side?: "top" | "right" | "bottom" };

/** Shows `text` over its child on hover and focus; the child takes a ref and is focusable where keyboards need it. */
export function Hint({ text, children, side = "top" }: HintProps) {
  if (text === undefined || text === "") return <>{children}</>;
  return (
    <TooltipPrimitive.Root>
      <TooltipPrimitive.Trigger asChild>{children}</TooltipPrimitive.Trigger>
      <TooltipPrimitive.Portal>
        <TooltipPrimitive.Content
          side={side}
          sideOffset={4}
          collisionPadding={8}
          className="z-[60] max-w-80 rounded-md bg-foreground px-2 py-1 text-xs break-words whitespace-pre-line text-background"
        >
          {text}
        </TooltipPrimitive.Content>
      </TooltipPrimitive.Portal>
    </TooltipPrimitive.Root>
  );
}
