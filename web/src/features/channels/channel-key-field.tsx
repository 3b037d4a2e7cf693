import type { Channel } from "@turnpike/contract/api/channel";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field } from "../../components/form/field.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Textarea } from "../../components/ui/input.tsx";
import type { ChannelFormReturn } from "./channel-basics.tsx";
import { countKeys } from "./channel-form.ts";

type KeyFieldProps = { readonly form: ChannelFormReturn; readonly channel: Channel | undefined };

/** The upstream keys: written, never shown. A stored channel says that it has them and lets them be replaced. */
export function KeyField({ form, channel }: KeyFieldProps) {
  const { t } = useTranslation();
  const [replacing, setReplacing] = useState(channel === undefined);
  const count = countKeys(form.watch("key"));
  if (!replacing && channel) {
    return (
      <Field label={t("密钥")} help={t("已保存的密钥不会显示，只能替换。")}>
        {({ id, "aria-describedby": describedBy }) => (
          <div className="flex items-center justify-between gap-2 rounded-lg border border-input py-1 pr-1 pl-3">
            <span className="font-mono text-[13px]">
              ••••{channel.key_hint}
              {channel.key_count > 1 && (
                <span className="ml-2 font-sans text-muted-foreground">
                  {t("共 {{count}} 个密钥", { count: channel.key_count })}
                </span>
              )}
            </span>
            <Button id={id} aria-describedby={describedBy} size="small" onClick={() => setReplacing(true)}>
              {t("替换密钥")}
            </Button>
          </div>
        )}
      </Field>
    );
  }
  return (
    <Field
      label={t("密钥")}
      required={channel === undefined}
      error={form.formState.errors.key}
      help={
        count > 1
          ? t("识别到 {{count}} 个密钥，调用时轮流使用。", { count })
          : t("多个密钥用逗号或换行分隔，调用时轮流使用。")
      }
    >
      {(control) => (
        <Textarea
          {...control}
          rows={count > 1 ? 6 : 2}
          spellCheck={false}
          autoComplete="off"
          className="min-h-9 font-mono text-[13px]"
          {...form.register("key")}
        />
      )}
    </Field>
  );
}
