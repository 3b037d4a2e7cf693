import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from "../../ui/dropdown-menu.tsx";
import type { ActionMenuProps } from "./row-action.ts";

/** The menu with its trigger, open at first. */
export function ActionMenuContent({ actions, trigger }: ActionMenuProps) {
  return (
    <DropdownMenu defaultOpen>
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
