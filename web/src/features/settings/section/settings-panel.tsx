import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { OptionValues } from "../settings-api.ts";
import { SectionCard } from "./section-card.tsx";
import { SettingControl } from "./setting-control.tsx";
import { useOpenFields } from "./setting-access.ts";
import type { SettingPanel } from "./setting-panel.ts";
import { type BeforeSave, type SettingsSection, useSettingsSection } from "./use-settings-section.ts";

type SettingsPanelProps = {
  readonly panel: SettingPanel;
  readonly values: OptionValues;
  readonly before?: BeforeSave;
  /** Content below the fields; gets the section as it is edited. */
  readonly children?: (section: SettingsSection) => ReactNode;
};

/** A section of the settings made of its fields. */
export function SettingsPanel({ panel, values, before, children }: SettingsPanelProps) {
  const { t } = useTranslation();
  const fields = useOpenFields(panel.fields, values);
  const section = useSettingsSection({ values, rules: panel.fields, ...(before && { before }) });
  return (
    <SectionCard id={panel.id} title={t(panel.title)} description={t(panel.description)} section={section}>
      <div className="grid items-start gap-4 sm:grid-cols-2">
        {fields.map((field) => (
          <SettingControl key={field.key} section={section} field={field} />
        ))}
      </div>
      {children?.(section)}
    </SectionCard>
  );
}
