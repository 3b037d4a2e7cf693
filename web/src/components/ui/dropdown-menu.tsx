import { Check } from "lucide-react";
import { DropdownMenu as MenuPrimitive } from "radix-ui";
import { type ComponentProps, useRef } from "react";
import { cn } from "../../lib/cn.ts";

export const DropdownMenu = MenuPrimitive.Root;
export const DropdownMenuTrigger = MenuPrimitive.Trigger;
export const DropdownMenuRadioGroup = MenuPrimitive.RadioGroup;

const itemClasses =
  "relative flex min-h-8 items-center gap-2 rounded-md px-2 py-1 text-sm outline-none select-none data-[disabled]:pointer-events-none data-[disabled]:opacity-50 data-[highlighted]:bg-muted [&_svg]:size-4 [&_svg]:shrink-0 [&_svg]:text-muted-foreground";

type ContentProps = ComponentProps<typeof MenuPrimitive.Content> & {
  /** The first opening begins at the first item, as it does for whoever opens a menu with the keyboard. */
  readonly startsAtFirst?: boolean;
};

export function DropdownMenuContent({ className, startsAtFirst = false, ...props }: ContentProps) {
  const toFirst = useRef(startsAtFirst);
  return (
    <MenuPrimitive.Portal>
      <MenuPrimitive.Content
        ref={(node) => {
          if (!node || !toFirst.current) return;
          toFirst.current = false;
          node.querySelector<HTMLElement>("[role^=menuitem]")?.focus({ preventScroll: true });
        }}
        sideOffset={4}
        align="end"
        collisionPadding={8}
        className={cn(
          "z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-40 overflow-y-auto rounded-lg border bg-popover p-1 shadow-md",
          className,
        )}
        {...props}
      />
    </MenuPrimitive.Portal>
  );
}

type ItemProps = ComponentProps<typeof MenuPrimitive.Item> & { danger?: boolean };

export function DropdownMenuItem({ className, danger, ...props }: ItemProps) {
  return (
    <MenuPrimitive.Item
      className={cn(itemClasses, danger === true && "text-bad [&_svg]:text-bad", className)}
      {...props}
    />
  );
}

export function DropdownMenuRadioItem({
  className,
  children,
  ...props
}: ComponentProps<typeof MenuPrimitive.RadioItem>) {
  return (
    <MenuPrimitive.RadioItem className={cn(itemClasses, "pr-8", className)} {...props}>
      {children}
      <MenuPrimitive.ItemIndicator className="absolute right-2">
        <Check aria-hidden />
      </MenuPrimitive.ItemIndicator>
    </MenuPrimitive.RadioItem>
  );
}

export function DropdownMenuLabel({ className, ...props }: ComponentProps<typeof MenuPrimitive.Label>) {
  return <MenuPrimitive.Label className={cn("px-2 py-1 text-xs text-muted-foreground", className)} {...props} />;
}

export function DropdownMenuSeparator({ className, ...props }: ComponentProps<typeof MenuPrimitive.Separator>) {
  return <MenuPrimitive.Separator className={cn("-mx-1 my-1 h-px bg-border", className)} {...props} />;
}
