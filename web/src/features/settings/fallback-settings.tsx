import { useTranslation } from "react-i18next";
import { findFallbackProblem } from "./check-setting.ts";
import { SectionCard } from "./section-card.tsx";
import { SwitchSetting, TextSetting } from "./setting-fields.tsx";
import type { OptionValues } from "./settings-api.ts";
import { useSettingsSection } from "./use-settings-section.ts";

const KEYS = [
  "fallback_pricing_enabled",
  "fallback_single_price",
  "fallback_input_ratio",
  "fallback_completion_ratio",
] as const;

/** What models cost that have no price of their own. */
export function FallbackSettings({ values }: { readonly values: OptionValues }) {
  const { t } = useTranslation();
  const section = useSettingsSection(values, KEYS);
  const single = section.valueOf("fallback_single_price");
  const input = section.valueOf("fallback_input_ratio");
  const completion = section.valueOf("fallback_completion_ratio");
  const problem = findFallbackProblem({ single, input, completion });
  const hasSingle = Number(single) > 0;
  const hasRatio = Number(input) > 0 || Number(completion) > 0;
  return (
    <SectionCard
      title={t("兜底价格")}
      description={t("没有设置价格的模型按这里计费；关闭时，这些模型的调用会被拒绝。")}
      section={section}
      isWrong={problem !== undefined}
    >
      <SwitchSetting
        section={section}
        optionKey="fallback_pricing_enabled"
        label={t("启用兜底价格")}
        help={t("默认关闭。")}
      />
      <div className="grid gap-4 sm:grid-cols-3">
        <TextSetting
          section={section}
          optionKey="fallback_single_price"
          numeric
          disabled={hasRatio && !hasSingle}
          label={t("单次价格（美元）")}
          help={t("每次调用的价格，与倍率二选一。")}
        />
        <TextSetting
          section={section}
          optionKey="fallback_input_ratio"
          numeric
          disabled={hasSingle && !hasRatio}
          label={t("输入倍率")}
          help={t("1 等于每百万 Token $2。")}
        />
        <TextSetting
          section={section}
          optionKey="fallback_completion_ratio"
          numeric
          disabled={hasSingle && !hasRatio}
          label={t("补全倍率")}
          help={t("输出价格是输入价格的几倍。")}
        />
      </div>
      {problem && (
        <p role="alert" className="text-[13px] text-bad">
          {t(problem.message)}
        </p>
      )}
    </SectionCard>
  );
}
