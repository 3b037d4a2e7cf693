import { DropdownMenu, DropdownMenuContent, DropdownMenuItem, DropdownMenuTrigger } from "../ui/dropdown-menu.tsx";
import type { OverlayProps } from "../ui/overlay-button.tsx";
import type { RowAction } from "./row-actions.tsx";

type ActionMenuProps = OverlayProps & { readonly actions: readonly RowAction[] };

/** The rarer actions of a row. Loaded with the first menu that is opened. */
export function ActionMenu({ actions, trigger, byKeyboard }: ActionMenuProps) {
  return (
    <DropdownMenu defaultOpen>
      <DropdownMenuTrigger asChild>{trigger}</DropdownMenuTrigger>
      <DropdownMenuContent startsAtFirst={byKeyboard}>
        {actions.map(({ label, icon: Icon, onSelect, danger = false, disabled = false }) => (
          <DropdownMenuItem key={label} danger={danger} disabled={disabled} onSelect={onSelect}>
            <Icon aria-hidden />
            {label}
          </DropdownMenuItem>
        ))}
      </DropdownMenuContent>
    </DropdownMenu>
  );
}
