import { type OptionDefinition, OPTIONS } from "@turnpike/contract/options/option-definitions";
import { useTranslation } from "react-i18next";
import { confirm } from "../../../components/confirm.ts";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { SwitchRow } from "../../../components/form/field.tsx";
import { JsonEditor } from "../../../components/form/json-editor.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { Textarea } from "../../../components/ui/textarea.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { Switch } from "../../../components/ui/switch.tsx";
import { cn } from "../../../lib/utils.ts";
import { findJsonSettingProblem } from "./check-setting.ts";
import { translateProblem } from "./translate-problem.ts";
import { helpText, ownHelpText, QuotaWorth } from "./setting-help.tsx";
import type { SettingField, SettingQuestion } from "./setting-panel.ts";
import type { SettingsSection } from "./use-settings-section.ts";

export type SettingProps = {
  readonly section: SettingsSection;
  readonly field: SettingField;
  readonly disabled?: boolean;
};

/** Taller fields take the whole width. */
const SHORT_ROWS = 6;

/** A boolean setting. A serious change requires confirmation; without it the switch stays unchanged. */
export function SwitchSetting({ section, field, disabled = false }: SettingProps) {
  const { t } = useTranslation();
  const message = section.findMessage(field.key);
  const agree = (question: SettingQuestion): Promise<boolean> =>
    confirm({
      title: t(question.title),
      description: t(question.description),
      action: t(question.action),
      danger: true,
    });
  const change = async (checked: boolean): Promise<void> => {
    const question = checked ? field.confirmOn : field.confirmOff;
    if (question === undefined || (await agree(question))) section.set(field.key, String(checked));
  };
  return (
    <div className="flex flex-col gap-0.5 sm:col-span-2">
      <SwitchRow label={t(field.label)} help={helpText(field, t)}>
        {(control) => (
          <Switch
            {...control}
            disabled={disabled}
            checked={section.valueOf(field.key) === "true"}
            onCheckedChange={(checked) => void change(checked)}
          />
        )}
      </SwitchRow>
      {message !== undefined && (
        <p role="alert" className="text-[13px] text-destructive">
          {message}
        </p>
      )}
    </div>
  );
}

/** A text or number in one line. */
export function LineSetting({ section, field, disabled = false }: SettingProps) {
  const { t } = useTranslation();
  const { type }: OptionDefinition = OPTIONS[field.key];
  const isNumber = type === "integer" || type === "number";
  return (
    <FieldFrame label={t(field.label)} help={helpText(field, t)} error={section.findMessage(field.key)}>
      {(control) => (
        <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
          <Input
            {...control}
            autoComplete="off"
            disabled={disabled}
            inputMode={type === "integer" ? "numeric" : isNumber ? "decimal" : "text"}
            placeholder={field.placeholder}
            className={cn(isNumber && "tabular-nums sm:w-48")}
            value={section.valueOf(field.key)}
            onChange={(event) => section.set(field.key, event.target.value)}
          />
          {field.quota === true && <QuotaWorth section={section} field={field} />}
        </div>
      )}
    </FieldFrame>
  );
}

/** One of a few values. */
export function ChoiceSetting({ section, field, disabled = false }: SettingProps) {
  const { t } = useTranslation();
  const { choices = [] }: OptionDefinition = OPTIONS[field.key];
  return (
    <FieldFrame label={t(field.label)} help={helpText(field, t)} error={section.findMessage(field.key)}>
      {(control) => (
        <OptionSelect
          {...control}
          className="h-9 sm:w-48"
          disabled={disabled}
          value={section.valueOf(field.key)}
          options={choices.map((value) => ({ value, label: t(field.choices?.[value] ?? value) }))}
          onValueChange={(value) => section.set(field.key, value)}
        />
      )}
    </FieldFrame>
  );
}

/** A text of several lines. */
export function AreaSetting({ section, field, disabled = false }: SettingProps) {
  const { t } = useTranslation();
  const { rows = SHORT_ROWS, as } = field;
  return (
    <FieldFrame
      className={cn((as === "code" || rows > SHORT_ROWS) && "sm:col-span-2")}
      label={t(field.label)}
      help={helpText(field, t)}
      error={section.findMessage(field.key)}
    >
      {(control) => (
        <Textarea
          {...control}
          autoComplete="off"
          spellCheck={false}
          disabled={disabled}
          rows={rows}
          placeholder={field.placeholder}
          className={cn(as === "code" && "font-mono text-[13px]")}
          value={section.valueOf(field.key)}
          onChange={(event) => section.set(field.key, event.target.value)}
        />
      )}
    </FieldFrame>
  );
}

/** A setting that holds a JSON document. */
export function JsonSetting({ section, field }: SettingProps) {
  const { t } = useTranslation();
  const { rows = SHORT_ROWS } = field;
  const value = section.valueOf(field.key);
  const problem = findJsonSettingProblem(field.key, value);
  return (
    <FieldFrame
      className={cn(rows > SHORT_ROWS && "sm:col-span-2")}
      label={t(field.label)}
      help={ownHelpText(field, t)}
      error={problem ? undefined : section.findMessage(field.key)}
    >
      {(control) => (
        <JsonEditor
          control={control}
          rows={rows}
          value={value}
          placeholder={field.placeholder ?? ""}
          problem={problem && { ...problem, message: translateProblem(problem) }}
          onValueChange={(next) => section.set(field.key, next)}
        />
      )}
    </FieldFrame>
  );
}
