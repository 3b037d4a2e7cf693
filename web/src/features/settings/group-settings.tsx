import { useTranslation } from "react-i18next";
import { SectionCard } from "./section-card.tsx";
import { JsonSetting } from "./setting-fields.tsx";
import type { OptionValues } from "./settings-api.ts";
import { useSettingsSection } from "./use-settings-section.ts";

const KEYS = ["GroupRatio", "UserUsableGroups"] as const;

/** The groups: what they cost and who may choose them. */
export function GroupSettings({ values }: { readonly values: OptionValues }) {
  const { t } = useTranslation();
  const section = useSettingsSection(values, KEYS);
  return (
    <SectionCard title={t("分组")} description={t("分组决定调用能用哪些渠道，以及价格乘以多少。")} section={section}>
      <div className="grid gap-4 md:grid-cols-2">
        <JsonSetting
          section={section}
          optionKey="GroupRatio"
          rows={8}
          label={t("分组倍率")}
          help={t("分组名对应的价格倍率，例如 1 是原价，0.8 是八折。")}
        />
        <JsonSetting
          section={section}
          optionKey="UserUsableGroups"
          rows={8}
          label={t("用户可选分组")}
          help={t("用户新建令牌时可以选择的分组和它们的说明。")}
        />
      </div>
    </SectionCard>
  );
}
