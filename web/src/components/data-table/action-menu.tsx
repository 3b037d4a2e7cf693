import type { ReactElement } from "react";
import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from "../ui/dropdown-menu.tsx";
import type { RowAction } from "./row-actions.tsx";

type ActionMenuProps = { readonly trigger: ReactElement; readonly actions: readonly RowAction[] };

/** A menu of actions behind the button `trigger`. */
export function ActionMenu({ actions, trigger }: ActionMenuProps) {
  return (
    <DropdownMenu>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent>
        {actions.map(({ label, icon: Icon, onSelect, danger = false, disabled = false }) => (
          <DropdownMenuItem
            key={label}
            variant={danger ? "destructive" : "default"}
            disabled={disabled}
            onSelect={onSelect}
          >
            <Icon aria-hidden />
            {label}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
