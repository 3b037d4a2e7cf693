import { type LucideIcon, MoreHorizontal } from "lucide-react";
import { lazy } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/button.tsx";
import { OverlayButton } from "../ui/overlay-button.tsx";
import { Hint } from "../ui/tooltip.tsx";

/** Something that can be done with one row. The frequent ones are buttons, the rest sit in a menu. */
export type RowAction = {
  readonly label: string;
  readonly icon: LucideIcon;
  readonly onSelect: () => void;
  readonly frequent?: boolean;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly busy?: boolean;
};

const loadMenu = () => import("./action-menu.tsx");
const ActionMenu = lazy(async () => ({ default: (await loadMenu()).ActionMenu }));

type RowActionsProps = { readonly actions: readonly RowAction[]; readonly name: string; readonly compact?: boolean };

/** The actions of the row called `name`; all of them in the menu when `compact`. */
export function RowActions({ actions, name, compact = false }: RowActionsProps) {
  const { t } = useTranslation();
  const buttons = compact ? [] : actions.filter(({ frequent }) => frequent === true);
  const rest = compact ? actions : actions.filter(({ frequent }) => frequent !== true);
  return (
    <div className="flex items-center justify-end gap-0.5">
      {buttons.map(({ label, icon: Icon, onSelect, disabled = false, busy = false }) => (
        <Hint key={label} text={label}>
          <Button
            variant="ghost"
            size="iconSmall"
            aria-label={t("{{action}}：{{name}}", { action: label, name })}
            disabled={disabled}
            busy={busy}
            onClick={onSelect}
          >
            {!busy && <Icon />}
          </Button>
        </Hint>
      ))}
      {rest.length > 0 && (
        <OverlayButton
          kind="menu"
          preload={loadMenu}
          button={
            <Button variant="ghost" size="iconSmall" aria-label={t("{{name}} 的更多操作", { name })}>
              <MoreHorizontal />
            </Button>
          }
        >
          {(opened) => <ActionMenu {...opened} actions={rest} />}
        </OverlayButton>
      )}
    </div>
  );
}
