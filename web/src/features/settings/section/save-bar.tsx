import { useTranslation } from "react-i18next";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { useOnce } from "../../../hooks/use-once.ts";
import type { SettingsSection } from "./use-settings-section.ts";

/** Focuses the first invalid field of the section that a button belongs to. */
function focusFirstInvalid(button: Element): void {
  button.closest("[data-settings-section]")?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
}

type SaveBarProps = { readonly section: SettingsSection; readonly isWrong?: boolean };

/** Shows how many changes of a section are unsaved, and saves or discards them. */
export function SaveBar({ section, isWrong = false }: SaveBarProps) {
  const { t } = useTranslation();
  const once = useOnce();
  const count = section.changed.length;
  const wrong = section.isWrong || isWrong;
  if (count === 0) return null;
  return (
    <div
      role="status"
      className="sticky -bottom-4 z-10 -mx-4 -mb-4 flex flex-wrap items-center gap-2 rounded-b-lg border-t bg-selected px-4 py-2 sm:-bottom-6"
    >
      <span className="mr-auto text-[13px]">{wrong ? t("请检查输入") : t("{{count}} 项修改尚未保存", { count })}</span>
      <Button variant="outline" size="sm" disabled={section.save.isPending} onClick={section.discard}>
        {t("放弃修改")}
      </Button>
      <BusyButton
        size="sm"
        busy={section.save.isPending}
        onClick={(event) => {
          if (wrong) focusFirstInvalid(event.currentTarget);
          else once(() => section.save.mutateAsync().catch(() => undefined));
        }}
      >
        {t("保存")}
      </BusyButton>
    </div>
  );
}
