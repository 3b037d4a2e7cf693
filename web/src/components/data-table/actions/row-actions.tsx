import { MoreHorizontal } from "lucide-react";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../busy-button.tsx";
import { ActionMenu } from "./action-menu.tsx";
import type { RowAction } from "./row-action.ts";
import { Button } from "../../ui/button.tsx";
import { Hint } from "../../hint.tsx";

type RowActionsProps = { readonly actions: readonly RowAction[]; readonly name: string; readonly compact?: boolean };

/** The actions of the row named `name`; all of them in the menu when `compact`. */
export function RowActions({ actions, name, compact = false }: RowActionsProps) {
  const { t } = useTranslation();
  const buttons = compact ? [] : actions.filter(({ frequent }) => frequent === true);
  const rest = compact ? actions : actions.filter(({ frequent }) => frequent !== true);
  return (
    <div className="flex items-center justify-end gap-0.5">
      {buttons.map(({ label, icon: Icon, onSelect, disabled = false, busy = false }) => (
        <Hint key={label} text={label}>
          <BusyButton
            variant="ghost"
            size="icon-sm"
            aria-label={t("{{action}}：{{name}}", { action: label, name })}
            disabled={disabled}
            busy={busy}
            onClick={onSelect}
          >
            {!busy && <Icon />}
          </BusyButton>
        </Hint>
      ))}
      {rest.length > 0 && (
        <ActionMenu
          actions={rest}
          trigger={
            <Button variant="ghost" size="icon-sm" aria-label={t("{{name}} 的更多操作", { name })}>
              <MoreHorizontal />
            </Button>
          }
        />
      )}
    </div>
  );
}
