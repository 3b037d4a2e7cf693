import { Controller } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/form/field.tsx";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { JsonEditor } from "../../components/form/json-editor.tsx";
import { NativeSelect } from "../../components/ui/native-select.tsx";
import type { ChannelFormReturn } from "./channel-basics.tsx";
import { isSettable, SETTING_HELPERS, type SettingHelper, settingOf, withSetting } from "./setting-helpers.ts";

type HelperFieldProps = {
  readonly helper: SettingHelper;
  readonly source: string;
  readonly onChange: (source: string) => void;
};

function HelperField({ helper, source, onChange }: HelperFieldProps) {
  const { t } = useTranslation();
  const { key, label, help, choices } = helper;
  const current = settingOf(source, key);
  const index = choices.findIndex(({ value }) => value === current);
  return (
    <FieldFrame label={t(label)} help={t(help)}>
      {(control) => (
        <NativeSelect
          {...control}
          className="h-9"
          disabled={!isSettable(source)}
          value={String(Math.max(0, index))}
          options={choices.map((choice, at) => ({ value: String(at), label: t(choice.label) }))}
          onValueChange={(at) => onChange(withSetting(source, key, choices[Number(at)]?.value))}
        />
      )}
    </FieldFrame>
  );
}

/** The channel's settings: the known ones as fields, all of them as JSON. */
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
