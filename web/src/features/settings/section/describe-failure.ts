import type { TFunction } from "i18next";
import { ApiError, describeError } from "../../../lib/api/api-error.ts";
import { currentLanguage } from "../../../lib/text/i18n.ts";
import { translateProblem } from "./translate-problem.ts";
import type { SettingRule } from "./setting-panel.ts";

/** Settings by their labels in the form, joined in the user's language. */
export const formatSettingNames = (keys: readonly string[], rules: readonly SettingRule[], t: TFunction): string => {
  const names = keys.map((key) => {
    const label = rules.find((rule) => rule.key === key)?.label;
    return label === undefined ? key : t(label);
  });
  return new Intl.ListFormat(currentLanguage(), { type: "conjunction" }).format(names);
};

const split = (keys: string): string[] => keys.split(/[,|]/).map((key) => key.trim());

/**
 * The server's reason for refusing a setting, for the field it belongs to; other settings are named by their labels.
 */
export function describeFailure(error: unknown, rules: readonly SettingRule[], t: TFunction): string {
  if (!(error instanceof ApiError)) return describeError(error, t);
  const { code, params = {} } = error.details;
  const { detail, needs, by } = params;
  if (code === "option_invalid" && detail !== undefined) return translateProblem({ message: detail });
  if (code === "option_needs" && needs !== undefined) {
    return t("请先填写并保存：{{names}}", { names: formatSettingNames(split(needs), rules, t) });
  }
  if (code === "option_in_use" && by !== undefined) {
    return t("请先关闭：{{names}}", { names: formatSettingNames(split(by), rules, t) });
  }
  return describeError(error, t);
}
