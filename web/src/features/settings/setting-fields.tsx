import type { OptionKey } from "@turnpike/contract/options/option-definitions";
import { useTranslation } from "react-i18next";
import { Field, SwitchRow } from "../../components/form/field.tsx";
import { JsonEditor } from "../../components/form/json-editor.tsx";
import { Input } from "../../components/ui/input.tsx";
import { Switch } from "../../components/ui/switch.tsx";
import { findJsonSettingProblem } from "./check-setting.ts";
import type { SettingsSection } from "./use-settings-section.ts";

type SettingProps = {
  readonly section: SettingsSection;
  readonly optionKey: OptionKey;
  /** Translated texts. */
  readonly label: string;
  readonly help: string;
};

/** A boolean setting. */
export function SwitchSetting({ section, optionKey, label, help }: SettingProps) {
  return (
    <SwitchRow label={label} help={help}>
      {(control) => (
        <Switch
          {...control}
          checked={section.valueOf(optionKey) === "true"}
          onCheckedChange={(checked) => section.set(optionKey, String(checked))}
        />
      )}
    </SwitchRow>
  );
}

type TextSettingProps = SettingProps & {
  readonly numeric?: boolean;
  readonly placeholder?: string;
  readonly disabled?: boolean;
};

/** A text or number setting. */
export function TextSetting({
  section,
  optionKey,
  label,
  help,
  numeric = false,
  placeholder,
  disabled = false,
}: TextSettingProps) {
  const { t } = useTranslation();
  const problem = section.problemOf(optionKey);
  const error = problem && { type: "custom", message: t(problem.message, problem.values ?? {}) };
  return (
    <Field label={label} help={help} error={error}>
      {(control) => (
        <Input
          {...control}
          autoComplete="off"
          disabled={disabled}
          inputMode={numeric ? "decimal" : "text"}
          placeholder={placeholder}
          className={numeric ? "tabular-nums sm:w-48" : "sm:max-w-md"}
          value={section.valueOf(optionKey)}
          onChange={(event) => section.set(optionKey, event.target.value)}
        />
      )}
    </Field>
  );
}

/** A setting that holds a JSON document. */
export function JsonSetting({ section, optionKey, label, help, rows }: SettingProps & { readonly rows: number }) {
  const value = section.valueOf(optionKey);
  return (
    <Field label={label} help={help}>
      {(control) => (
        <JsonEditor
          control={control}
          rows={rows}
          value={value}
          problem={findJsonSettingProblem(optionKey, value)}
          onValueChange={(next) => section.set(optionKey, next)}
        />
      )}
    </Field>
  );
}
