import { useTranslation } from "react-i18next";
import { RadioGroup, RadioGroupItem } from "../../components/ui/radio-group.tsx";
import { text } from "../../lib/text/i18n-source.ts";
import { USAGE_MODES, type UsageMode } from "./setup-form.ts";

const MODE_TEXTS: Readonly<Record<UsageMode, { title: string; help: string }>> = {
  external: { title: text("对外运营"), help: text("为其他用户提供服务，并向他们计费。") },
  self: { title: text("自用模式"), help: text("只给自己用：隐藏注册入口，未设置价格的模型也可以调用。") },
  demo: { title: text("演示站点"), help: text("给人看的站点，页面上会有标记。") },
};

type ModeChoiceProps = { readonly value: string; readonly onChoose: (mode: UsageMode) => void };

/** The site's purpose, one of three. */
export function ModeChoice({ value, onChoose }: ModeChoiceProps) {
  const { t } = useTranslation();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-medium">{t("使用方式")}</legend>
      <RadioGroup
        className="gap-2"
        aria-label={t("使用方式")}
        value={value}
        onValueChange={(next) => {
          const mode = USAGE_MODES.find((one) => one === next);
          if (mode) onChoose(mode);
        }}
      >
        {USAGE_MODES.map((mode) => (
          <label
            key={mode}
            className="flex cursor-pointer items-start gap-3 rounded-lg border border-input p-3 hover:bg-muted has-data-[state=checked]:border-primary has-data-[state=checked]:bg-selected"
          >
            <RadioGroupItem value={mode} className="mt-0.5" />
            <span>
              <span className="block text-sm font-medium">{t(MODE_TEXTS[mode].title)}</span>
              <span className="block text-[13px] text-muted-foreground">{t(MODE_TEXTS[mode].help)}</span>
            </span>
          </label>
        ))}
      </RadioGroup>
    </fieldset>
  );
}
