import { useLocation } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../../../components/states.tsx";
import { NativeSelect, NativeSelectOption } from "../../../components/ui/native-select.tsx";
import { useSession } from "../../../lib/session/session.ts";
import type { OptionValues } from "../settings-api.ts";
import { isOpen } from "./setting-access.ts";
import type { SettingPanel, TabPanel } from "./setting-panel.ts";
import { SettingsPanel } from "./settings-panel.tsx";

/** A section that consists of fields only, for a tab's list. */
export const fieldsOnly = (panel: SettingPanel): TabPanel => ({
  ...panel,
  Body: ({ values }) => <SettingsPanel panel={panel} values={values} />,
});

type TabPanelsProps = { readonly panels: readonly TabPanel[]; readonly values: OptionValues };

const goTo = (id: string): void => {
  document.getElementById(id)?.scrollIntoView({ block: "start" });
  document.getElementById(`${id}-title`)?.focus({ preventScroll: true });
};

/** Leads to a section on screens without room for the list of them. */
function SectionPicker({ panels }: Pick<TabPanelsProps, "panels">) {
  const { t } = useTranslation();
  if (panels.length < 2) return null;
  return (
    <NativeSelect
      aria-label={t("本页的设置")}
      className="sticky top-0 z-20 bg-background lg:hidden"
      value=""
      onChange={(event) => goTo(event.target.value)}
    >
      <NativeSelectOption value="" disabled>
        {t("跳到某一组设置…")}
      </NativeSelectOption>
      {panels.map(({ id, title }) => (
        <NativeSelectOption key={id} value={id}>
          {t(title)}
        </NativeSelectOption>
      ))}
    </NativeSelect>
  );
}

/** The sections of a tab that the user may change, with a list of them at the side where there is room. */
export function TabPanels({ panels, values }: TabPanelsProps) {
  const { t } = useTranslation();
  const role = useSession((state) => state.user?.role ?? 0);
  const open = panels.filter(
    ({ fields }) => fields.length === 0 || fields.some(({ key }) => isOpen(key, values, role)),
  );
  const hash = useLocation({ select: (location) => location.hash });
  useEffect(() => {
    if (hash !== "") goTo(hash);
  }, [hash]);
  if (open.length === 0) return <EmptyState text={t("这些设置只有超级管理员可以修改。")} />;
  return (
    <div className="flex items-start gap-6">
      <nav aria-label={t("本页的设置")} className="sticky top-0 w-44 shrink-0 max-lg:hidden">
        <ul className="flex flex-col">
          {open.map(({ id, title }) => (
            <li key={id}>
              <button
                type="button"
                className="w-full truncate rounded-md px-2.5 py-1.5 text-left text-[13px] text-muted-foreground hover:bg-muted hover:text-foreground"
                onClick={() => goTo(id)}
              >
                {t(title)}
              </button>
            </li>
          ))}
        </ul>
      </nav>
      <div className="flex min-w-0 flex-1 flex-col gap-4">
        <SectionPicker panels={open} />
        {open.map(({ id, Body }) => (
          <Body key={id} values={values} />
        ))}
      </div>
    </div>
  );
}
