import type { Channel } from "@turnpike/contract/api/channels/channel";
import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Field, SwitchRow } from "../../../components/form/field.tsx";
import type { ControlProps } from "../../../components/form/field-frame.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { Textarea } from "../../../components/ui/textarea.tsx";
import { Switch } from "../../../components/ui/switch.tsx";
import type { ChannelFormReturn } from "./channel-form.ts";
import { joinKeys, splitKeyLines, parseKeys, isKeyList } from "./key-list.ts";
import { getTypeFields, VERTEX_TYPE } from "./type-fields.ts";

type KeyFieldProps = {
  readonly form: ChannelFormReturn;
  /** The channel whose keys stay unless new ones are entered. */
  readonly stored: Channel | undefined;
  readonly isCopy: boolean;
};

function KeyList({ control, form }: { readonly control: ControlProps; readonly form: ChannelFormReturn }) {
  const { t } = useTranslation();
  const lines = splitKeyLines(form.watch("key"));
  const set = (next: readonly string[]): void =>
    form.setValue("key", joinKeys(next), { shouldDirty: true, shouldValidate: form.formState.isSubmitted });
  return (
    <div className="flex flex-col gap-1.5">
      <ul className="flex max-h-72 flex-col gap-1.5 overflow-y-auto">
        {lines.map((line, index) => (
          // A key has no stable name while it is typed.
          // oxlint-disable-next-line no-array-index-key
          <li key={index} className="flex items-center gap-1.5">
            <Input
              {...(index === 0 ? control : {})}
              aria-label={t("第 {{number}} 个密钥", { number: index + 1 })}
              autoComplete="off"
              spellCheck={false}
              className="font-mono text-[13px]"
              value={line}
              onChange={(event) => set(lines.map((one, at) => (at === index ? event.target.value : one)))}
            />
            <Button
              variant="ghost"
              size="icon-sm"
              aria-label={t("移除第 {{number}} 个密钥", { number: index + 1 })}
              disabled={lines.length === 1}
              onClick={() => set(lines.filter((_, at) => at !== index))}
            >
              <Trash2 />
            </Button>
          </li>
        ))}
      </ul>
      <Button variant="outline" size="sm" className="self-start" onClick={() => set([...lines, ""])}>
        <Plus />
        {t("添加密钥")}
      </Button>
    </div>
  );
}

/** The upstream keys: write-only. A stored channel shows that it has keys and lets the user replace them. */
export function KeyField({ form, stored, isCopy }: KeyFieldProps) {
  const { t } = useTranslation();
  const [replacing, setReplacing] = useState(stored === undefined);
  if (!replacing && stored) {
    return (
      <Field
        label={t("密钥")}
        help={isCopy ? t("沿用原渠道的密钥，也可以换成别的。") : t("已保存的密钥不会显示，只能替换。")}
      >
        {({ id, "aria-describedby": describedBy }) => (
          <div className="flex items-center justify-between gap-2 rounded-lg border border-input py-1 pr-1 pl-3">
            <span className="font-mono text-[13px]">
              ••••{stored.key_hint}
              {stored.key_count > 1 && (
                <span className="ml-2 font-sans text-muted-foreground">
                  {t("共 {{count}} 个密钥", { count: stored.key_count })}
                </span>
              )}
            </span>
            <Button
              variant="outline"
              id={id}
              aria-describedby={describedBy}
              size="sm"
              onClick={() => setReplacing(true)}
            >
              {t("替换密钥")}
            </Button>
          </div>
        )}
      </Field>
    );
  }
  return <NewKeys form={form} stored={stored} />;
}

function NewKeys({ form, stored }: Pick<KeyFieldProps, "form" | "stored">) {
  const { t } = useTranslation();
  const type = form.watch("type");
  const key = form.watch("key");
  // The list view opens by itself for several keys; a user who turned it off keeps the text view.
  const [wanted, setWanted] = useState<boolean>();
  const isList = type !== VERTEX_TYPE && (wanted ?? isKeyList(type, key));
  if (isList && wanted === undefined) setWanted(true);
  const count = parseKeys(type, key).length;
  const { keyHelp, keyPlaceholder = "sk-…" } = getTypeFields(type);
  const many =
    count > 1
      ? t("识别到 {{count}} 个密钥，调用时轮流使用。", { count })
      : t("多个密钥用逗号或换行分隔，调用时轮流使用。");
  return (
    <>
      <Field
        label={t("密钥")}
        required={stored === undefined}
        error={form.formState.errors.key}
        help={[keyHelp === undefined ? "" : t(keyHelp), type === VERTEX_TYPE ? "" : many].join(" ").trim()}
      >
        {(control) =>
          isList ? (
            <KeyList control={control} form={form} />
          ) : (
            <Textarea
              {...control}
              autoFocus={stored !== undefined}
              autoComplete="off"
              spellCheck={false}
              className="font-mono text-[13px]"
              placeholder={keyPlaceholder}
              {...form.register("key")}
            />
          )
        }
      </Field>
      {type !== VERTEX_TYPE && (isList || count > 1) && (
        <SwitchRow label={t("逐个编辑密钥")} help={t("每个密钥一行。有多个密钥时自动打开。")}>
          {(control) => <Switch {...control} checked={isList} onCheckedChange={setWanted} />}
        </SwitchRow>
      )}
    </>
  );
}
