import { type OptionDefinition, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { DOLLARS_PER_MILLION } from "@turnpike/contract/pricing/dollars";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { formatCount, formatDollars } from "../../../lib/text/format.ts";
import { currentLanguage } from "../../../lib/text/i18n.ts";
import { useMoneyDisplay } from "../../../lib/status.ts";
import type { SettingField } from "./setting-panel.ts";
import type { SettingsSection } from "./use-settings-section.ts";

/** What ratio 1 costs, in the texts of ratios. */
const RATIO_PRICE = { price: formatDollars(DOLLARS_PER_MILLION) };
const MULTILINE = /\n/;
const LENGTH_MAX = 40;

function defaultText({ key, choices = {} }: SettingField, t: TFunction): string {
  const definition: OptionDefinition = OPTIONS[key];
  const { type, default: value } = definition;
  if (type === "boolean") return value === "true" ? t("默认打开。") : t("默认关闭。");
  if (type === "json" || value === "" || MULTILINE.test(value) || value.length > LENGTH_MAX) return "";
  const label = choices[value];
  const shown = type === "text" ? (label === undefined ? value : t(label)) : formatCount(Number(value));
  return t("默认 {{value}}。", { value: shown });
}

/** What a setting does. */
export const ownHelpText = (field: SettingField, t: TFunction): string => t(field.help, RATIO_PRICE);

/** A setting's description and default. */
export const helpText = (field: SettingField, t: TFunction): string => {
  const own = ownHelpText(field, t);
  const byDefault = defaultText(field, t);
  // Chinese sentences follow one another without a space.
  return [own, byDefault].filter((sentence) => sentence !== "").join(currentLanguage() === "en" ? " " : "");
};

type QuotaWorthProps = { readonly section: SettingsSection; readonly field: SettingField };

/** An amount of quota in dollars. */
export function QuotaWorth({ section, field }: QuotaWorthProps) {
  const { t } = useTranslation();
  const { quotaPerUnit } = useMoneyDisplay();
  const amount = Number(section.valueOf(field.key));
  if (!Number.isFinite(amount)) return null;
  return (
    <span className="text-[13px] text-muted-foreground tabular-nums">
      {t("等于 {{dollars}}", { dollars: formatDollars(amount / quotaPerUnit) })}
    </span>
  );
}
