import { zodResolver } from "@hookform/resolvers/zod";
import { TestWebhookResult } from "@turnpike/contract/api/notify";
import { useMutation } from "@tanstack/react-query";
import { Controller, type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { showFormError } from "../../../components/form/field-errors.ts";
import { Field } from "../../../components/form/field.tsx";
import { MoneyField } from "../../../components/form/money-field.tsx";
import { ErrorState } from "../../../components/states.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { OptionSelect } from "../../../components/option-select.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { useOnce } from "../../../hooks/use-once.ts";
import { useUnsavedGuard } from "../../../components/form/use-unsaved-guard.ts";
import { api } from "../../../lib/api/api-client.ts";
import { formatMilliseconds } from "../../../lib/text/format.ts";
import { notifyError, notifySuccess } from "../../../lib/toast.ts";
import { isHttps, NotificationForm, type NotificationValues, toFormValues } from "./notification-form.ts";
import { TitledCard } from "../titled-card.tsx";
import type { UserSetting } from "./user-setting.ts";
import { useUserSetting } from "./use-user-setting.ts";

const FIELDS_BY_CODE = {
  webhook_url_required: "webhookUrl",
  webhook_url_not_https: "webhookUrl",
  notification_email_invalid: "notificationEmail",
} as const;
const PRESETS_DOLLARS = [0.2, 1, 2, 10] as const;
const TEST_TIMEOUT_MS = 20_000;

type FieldsProps = { readonly form: UseFormReturn<NotificationValues> };

function useWebhookTest() {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: ({ webhookUrl, webhookSecret }: NotificationValues) =>
      api.post("/api/user/webhook/test", {
        body: { webhook_url: webhookUrl.trim(), webhook_secret: webhookSecret },
        schema: TestWebhookResult,
        timeoutMs: TEST_TIMEOUT_MS,
      }),
    onSuccess: ({ status, duration_ms: ms }) =>
      notifySuccess(t("Webhook 回应 {{status}}，用时 {{time}}", { status, time: formatMilliseconds(ms) })),
    onError: notifyError,
  });
}

type WebhookFieldsProps = FieldsProps & { readonly hasSecret: boolean };

function WebhookFields({ form, hasSecret }: WebhookFieldsProps) {
  const { t } = useTranslation();
  const test = useWebhookTest();
  const webhookUrl = useWatch({ control: form.control, name: "webhookUrl" });
  return (
    <>
      <Field
        label={t("Webhook 地址")}
        required
        help={t("只支持 https。通知以 POST JSON 发送，失败会重试。")}
        error={form.formState.errors.webhookUrl}
      >
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              {...form.register("webhookUrl")}
              type="url"
              autoComplete="off"
              placeholder="https://example.com/hook"
            />
            <BusyButton
              variant="outline"
              busy={test.isPending}
              disabled={!isHttps(webhookUrl)}
              onClick={() => test.mutate(form.getValues())}
            >
              {t("测试")}
            </BusyButton>
          </div>
        )}
      </Field>
      <Field
        label={t("Webhook 密钥")}
        help={
          hasSecret
            ? t("已设置，留空则不修改。用来签名请求头 X-Webhook-Signature（HMAC-SHA256）。")
            : t("可选。用来签名请求头 X-Webhook-Signature（HMAC-SHA256）。")
        }
        error={form.formState.errors.webhookSecret}
      >
        {(control) => (
          <Input {...control} {...form.register("webhookSecret")} type="password" autoComplete="new-password" />
        )}
      </Field>
    </>
  );
}

function EmailField({ form, email }: FieldsProps & { readonly email: string }) {
  const { t } = useTranslation();
  return (
    <Field
      label={t("通知邮箱")}
      help={
        email === ""
          ? t("留空则发送到绑定的邮箱；您还没有绑定邮箱。")
          : t("留空则发送到绑定的邮箱 {{email}}。", { email })
      }
      error={form.formState.errors.notificationEmail}
    >
      {(control) => <Input {...control} {...form.register("notificationEmail")} type="email" autoComplete="email" />}
    </Field>
  );
}

type FormProps = {
  readonly stored: UserSetting;
  readonly email: string;
  readonly save: ReturnType<typeof useUserSetting>["save"];
};

function NotificationFields({ stored, email, save }: FormProps) {
  const { t } = useTranslation();
  const once = useOnce();
  const form = useForm<NotificationValues>({
    resolver: zodResolver(NotificationForm),
    mode: "onTouched",
    values: toFormValues(stored),
    // A refetched profile does not undo what was entered.
    resetOptions: { keepDirtyValues: true },
  });
  const { isDirty } = form.formState;
  const notifyType = useWatch({ control: form.control, name: "notifyType" });
  useUnsavedGuard(isDirty && !save.isPending);
  const send = ({ webhookSecret, ...entered }: NotificationValues): Promise<void> => {
    // An address that is not visible is not validated, so an invalid one stays unsaved.
    const webhookUrl =
      entered.webhookUrl === "" || isHttps(entered.webhookUrl) ? entered.webhookUrl : stored.webhookUrl;
    return save.mutateAsync({ setting: { ...stored, ...entered, webhookUrl }, webhookSecret }).then(
      () => form.reset({ ...entered, webhookUrl, webhookSecret: "" }),
      (error: unknown) => showFormError(form, error, FIELDS_BY_CODE),
    );
  };
  const submit = form.handleSubmit((values) => once(() => send(values)));
  return (
    <form noValidate className="flex flex-col gap-4 sm:max-w-lg" onSubmit={(event) => void submit(event)}>
      <MoneyField
        control={form.control}
        name="warningThreshold"
        label={t("额度预警阈值")}
        help={t("余额低于它时提醒一次，2 小时内不再重复。0 表示不提醒。")}
        presets={PRESETS_DOLLARS}
      />
      <Controller
        control={form.control}
        name="notifyType"
        render={({ field }) => (
          <Field label={t("通知方式")}>
            {(control) => (
              <OptionSelect
                {...control}
                className="h-9 sm:w-48"
                value={field.value}
                options={[
                  { value: "email", label: t("邮件") },
                  { value: "webhook", label: "Webhook" },
                ]}
                onValueChange={field.onChange}
              />
            )}
          </Field>
        )}
      />
      {notifyType === "webhook" ? (
        <WebhookFields form={form} hasSecret={stored.hasWebhookSecret} />
      ) : (
        <EmailField form={form} email={email} />
      )}
      <BusyButton type="submit" className="self-start" busy={save.isPending} disabled={!isDirty}>
        {t("保存")}
      </BusyButton>
    </form>
  );
}

/** When and where the user is notified. */
export function NotificationSettings() {
  const { t } = useTranslation();
  const { stored, email, error, retry, save } = useUserSetting();
  if (!stored)
    return error === null ? <Skeleton className="h-64 w-full" /> : <ErrorState error={error} onRetry={retry} />;
  return (
    <TitledCard title={t("通知设置")} description={t("余额不足时，用邮件或 Webhook 提醒您。")}>
      <NotificationFields stored={stored} email={email} save={save} />
    </TitledCard>
  );
}
