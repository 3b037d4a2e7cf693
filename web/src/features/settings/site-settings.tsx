import { useTranslation } from "react-i18next";
import { SectionCard } from "./section-card.tsx";
import { SwitchSetting, TextSetting } from "./setting-fields.tsx";
import type { OptionValues } from "./settings-api.ts";
import { useSettingsSection } from "./use-settings-section.ts";

const OPERATION_KEYS = ["RetryTimes", "DisplayInCurrencyEnabled"] as const;
const SITE_KEYS = ["SystemName", "ServerAddress"] as const;

/** How calls are retried and how money is shown. */
export function OperationSettings({ values }: { readonly values: OptionValues }) {
  const { t } = useTranslation();
  const section = useSettingsSection(values, OPERATION_KEYS);
  return (
    <SectionCard title={t("运行")} description={t("调用失败时的重试和额度的显示方式。")} section={section}>
      <TextSetting
        section={section}
        optionKey="RetryTimes"
        numeric
        label={t("失败重试次数")}
        help={t("换一个渠道再试的次数，0 到 10，默认 0。只在还没有向客户端发送任何内容时重试。")}
      />
      <SwitchSetting
        section={section}
        optionKey="DisplayInCurrencyEnabled"
        label={t("以货币显示额度")}
        help={t("打开时显示美元，关闭时显示额度的原始数值。默认打开。")}
      />
    </SectionCard>
  );
}

/** The site's name and address. */
export function SiteSettings({ values }: { readonly values: OptionValues }) {
  const { t } = useTranslation();
  const section = useSettingsSection(values, SITE_KEYS);
  return (
    <SectionCard title={t("通用设置")} description={t("站点的名称和对外的地址。")} section={section}>
      <TextSetting
        section={section}
        optionKey="SystemName"
        label={t("系统名称")}
        help={t("显示在页面左上角和浏览器标签上。默认 Turnpike。")}
      />
      <TextSetting
        section={section}
        optionKey="ServerAddress"
        label={t("服务器地址")}
        help={t("用户访问本站的地址，用在接入示例里。留空使用浏览器里的地址。")}
        placeholder="https://example.com"
      />
    </SectionCard>
  );
}
