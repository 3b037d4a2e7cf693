import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { confirm } from "../../../components/confirm.ts";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { notifyProblem, notifySuccess } from "../../../lib/toast.ts";
import { refreshOptions, saveOptions, secretsQuery } from "../settings-api.ts";
import { describeFailure } from "./describe-failure.ts";
import type { SettingProps } from "./setting-fields.tsx";
import { ownHelpText } from "./setting-help.tsx";

/**
 * A secret: whether it is set, and a field that replaces it. The stored value is never shown; an empty field changes
 * nothing.
 */
export function SecretSetting({ section, field, disabled = false }: SettingProps) {
  const { t } = useTranslation();
  const isSet = useQuery(secretsQuery).data?.[field.key];
  const remove = async (): Promise<void> => {
    const name = t(field.label);
    const sure = await confirm({
      title: t("移除 {{name}}？", { name }),
      description: t("移除后无法恢复，只能重新填写。"),
      action: t("移除"),
      danger: true,
    });
    if (!sure) return;
    try {
      await saveOptions([{ key: field.key, value: "" }]);
      notifySuccess(t("已移除"));
    } catch (error) {
      notifyProblem(t("保存失败，请重试"), describeFailure(error, section.rules, t));
    }
    await refreshOptions();
  };
  return (
    <FieldFrame label={t(field.label)} help={ownHelpText(field, t)} error={section.findMessage(field.key)}>
      {(control) => (
        <div className="flex items-center gap-2">
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            disabled={disabled}
            placeholder={isSet === true ? t("填写新值以替换") : ""}
            value={section.valueOf(field.key)}
            onChange={(event) => section.set(field.key, event.target.value)}
          />
          {isSet !== undefined && (
            <StatusBadge tone={isSet ? "good" : "neutral"} dot>
              {isSet ? t("已设置") : t("未设置")}
            </StatusBadge>
          )}
          {isSet === true && (
            <Button
              variant="ghost"
              size="sm"
              aria-label={t("移除 {{name}}", { name: t(field.label) })}
              onClick={() => void remove()}
            >
              {t("移除")}
            </Button>
          )}
        </div>
      )}
    </FieldFrame>
  );
}
