import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field, SwitchRow } from "../../../components/form/field.tsx";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { JsonEditor } from "../../../components/form/json-editor.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { Switch } from "../../../components/ui/switch.tsx";
import type { ChannelFormReturn } from "./channel-form.ts";
import {
  isSettable,
  SETTING_HELPERS,
  type SettingHelper,
  getSetting,
  settingText,
  setSetting,
} from "./setting-helpers.ts";

type HelperFieldProps = {
  readonly helper: SettingHelper;
  readonly source: string;
  readonly onChange: (source: string) => void;
};

function HelperField({ helper, source, onChange }: HelperFieldProps) {
  const { t } = useTranslation();
  const { key, label, help } = helper;
  const disabled = !isSettable(source);
  const set = (value: string | boolean): void =>
    onChange(setSetting(source, key, value === "" || value === false ? undefined : value));
  if (helper.kind === "flag") {
    const checked = getSetting(source, key) === true || getSetting(source, key) === "true";
    return (
      <SwitchRow label={t(label)} help={t(help)}>
        {(control) => <Switch {...control} disabled={disabled} checked={checked} onCheckedChange={set} />}
      </SwitchRow>
    );
  }
  const value = settingText(source, key);
  return (
    <FieldFrame label={t(label)} help={t(help)}>
      {(control) =>
        helper.kind === "text" ? (
          <Input
            {...control}
            disabled={disabled}
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-[13px]"
            placeholder={helper.placeholder}
            value={value}
            onChange={(event) => set(event.target.value.trim())}
          />
        ) : (
          <OptionSelect
            {...control}
            className="h-9"
            disabled={disabled}
            value={helper.choices.some((choice) => choice.value === value) ? value : ""}
            options={helper.choices.map((choice) => ({ value: choice.value, label: t(choice.label) }))}
            onValueChange={set}
          />
        )
      }
    </FieldFrame>
  );
}

/** The channel's settings: known ones as fields, all of them as JSON. */
export function SettingFields({ form }: { readonly form: ChannelFormReturn }) {
  const { t } = useTranslation();
  return (
    <Controller
      control={form.control}
      name="setting"
      render={({ field, fieldState }) => (
        <>
          {SETTING_HELPERS.map((helper) => (
            <HelperField key={helper.key} helper={helper} source={field.value} onChange={field.onChange} />
          ))}
          <Field
            label={t("渠道设置")}
            help={t("JSON 对象，上面的选项也写在这里；网关不认识的键会保留。")}
            error={fieldState.error}
          >
            {(control) => (
              <JsonEditor
                control={control}
                rows={3}
                value={field.value}
                onValueChange={field.onChange}
                onBlur={field.onBlur}
              />
            )}
          </Field>
        </>
      )}
    />
  );
}
