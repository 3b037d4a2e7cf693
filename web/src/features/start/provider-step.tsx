import { CHANNEL_TYPES, getChannelType } from "@turnpike/contract/api/channels/channel-types";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { BusyButton } from "../../components/busy-button.tsx";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { Notice } from "../../components/notice.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { Button } from "../../components/ui/button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { formatMilliseconds } from "../../lib/text/format.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { findRefusedField } from "../../lib/api/refused-field.ts";
import { findKeyType } from "./key-type.ts";
import { type Connected, connect } from "./start-api.ts";

const OPENAI_TYPE = 1;
const SECOND_MS = 1_000;

/** What was connected: models, prices and the test. */
function Result({ result }: { readonly result: Connected }) {
  const { t } = useTranslation();
  const { name, models, priced, test } = result;
  return (
    <>
      <Notice tone={priced === models ? "good" : "warn"}>
        {t("已连接 {{name}}：{{models}} 个模型，其中 {{priced}} 个有价格。没有价格的可以稍后设置。", {
          name,
          models,
          priced,
        })}
      </Notice>
      {"error" in test ? (
        <Notice tone="bad">{t("测试失败：{{reason}}", { reason: describeError(test.error, t) })}</Notice>
      ) : (
        <Notice tone="good">
          {t("测试通过，用时 {{time}}", { time: formatMilliseconds(test.seconds * SECOND_MS) })}
        </Notice>
      )}
    </>
  );
}

const FIELDS = ["key", "type", "baseUrl"] as const;

const AccountForm = z.object({
  key: z.string().check(z.trim(), z.minLength(1, text("请填写密钥"))),
  type: z.number(),
  baseUrl: z.string().check(z.trim()),
});
type AccountValues = z.infer<typeof AccountForm>;

const FIELDS_BY_CODE = {
  channel_name_and_key_required: "key",
  channel_key_required: "key",
  channel_type_unsupported: "type",
  channel_region_required: "type",
  channel_base_url_invalid: "baseUrl",
  channel_base_url_required: "baseUrl",
  address_not_allowed: "baseUrl",
} as const;

type AccountFieldsProps = { readonly form: ReturnType<typeof useSmallForm<AccountValues>> };

function AccountFields({ form }: AccountFieldsProps) {
  const { t } = useTranslation();
  const { type } = form.values;
  const key = form.field("key");
  const getMessage = (field: keyof AccountValues): string | undefined => {
    const error = form.getError(field);
    return error && t(error);
  };
  return (
    <>
      <FieldFrame
        label={t("密钥")}
        required
        error={getMessage("key")}
        help={t("粘贴上游账号的密钥，类型会按开头自动识别。")}
      >
        {(control) => (
          <Input
            {...control}
            {...key}
            autoFocus
            autoComplete="off"
            spellCheck={false}
            className="font-mono text-[13px]"
            onChange={(event) => {
              const found = findKeyType(event.target.value);
              if (found !== undefined) form.set("type", found);
              key.onChange(event);
            }}
          />
        )}
      </FieldFrame>
      <FieldFrame label={t("类型")} error={getMessage("type")}>
        {(control) => (
          <OptionSelect
            {...control}
            className="h-9"
            value={String(type)}
            options={CHANNEL_TYPES.map(({ id, name }) => ({ value: String(id), label: t(name) }))}
            onValueChange={(value) => form.set("type", Number(value), { shouldValidate: true })}
          />
        )}
      </FieldFrame>
      <FieldFrame
        label={t("地址")}
        help={t("留空使用官方地址。只填到域名，不带 /v1 和结尾的斜杠。")}
        error={getMessage("baseUrl")}
      >
        {(control) => (
          <Input
            {...control}
            {...form.field("baseUrl")}
            type="url"
            autoComplete="off"
            className="font-mono text-[13px]"
            placeholder={getChannelType(type)?.baseUrl}
          />
        )}
      </FieldFrame>
    </>
  );
}

/** Connects the first provider: its key, its models and a test. */
export function ProviderStep({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation();
  const form = useSmallForm(AccountForm, { key: "", type: OPENAI_TYPE, baseUrl: "" });
  const run = useMutation({
    mutationFn: ({ account, listsModels }: { readonly account: AccountValues; readonly listsModels: boolean }) =>
      connect(account, listsModels),
    // What upstream refuses, such as a wrong key, names no field.
    onError: (error) =>
      form.showError(findRefusedField(error, FIELDS, FIELDS_BY_CODE) ?? "key", describeError(error, t)),
  });
  const submit = (listsModels: boolean) =>
    form.submit((account) => run.mutateAsync({ account, listsModels }).catch(() => undefined));
  if (run.data)
    return (
      <div className="flex flex-col gap-3">
        <Result result={run.data} />
        <Button className="self-start" onClick={onDone}>
          {t("下一步")}
        </Button>
      </div>
    );
  return (
    <form noValidate className="flex flex-col gap-4" onSubmit={submit(true)}>
      <AccountFields form={form} />
      <div className="flex flex-wrap gap-2">
        <BusyButton type="submit" busy={run.isPending}>
          {t("连接并测试")}
        </BusyButton>
        {run.isError && (
          <Button variant="outline" onClick={submit(false)}>
            {t("仍用常用模型连接")}
          </Button>
        )}
      </div>
    </form>
  );
}
