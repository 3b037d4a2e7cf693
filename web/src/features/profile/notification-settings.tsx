import type { TestWebhookResult } from "@turnpike/contract/api/notify";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { MoneyInput } from "../../components/form/money-input.tsx";
import { ErrorState } from "../../components/states.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { OptionSelect } from "../../components/option-select.tsx";
import { Skeleton } from "../../components/ui/skeleton.tsx";
import { useOnce } from "../../hooks/use-once.ts";
import { useUnsavedGuard } from "../../components/form/use-unsaved-guard.ts";
import { api } from "../../lib/api-client.ts";
import { isNumber, isObjectOf } from "../../lib/check.ts";
import { formatMilliseconds } from "../../lib/format.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { TitledCard } from "./titled-card.tsx";
import type { UserSetting } from "./user-setting.ts";
import { useUserSetting } from "./use-user-setting.ts";

const PRESETS_DOLLARS = [0.2, 1, 2, 10] as const;
const TEST_TIMEOUT_MS = 20_000;

type Draft = UserSetting & { readonly webhookSecret: string };
type FieldsProps = { readonly draft: Draft; readonly onChange: (change: Partial<Draft>) => void };

const isHttps = (address: string): boolean => /^https:\/\/\S+$/.test(address.trim());

function useWebhookTest({ webhookUrl, webhookSecret }: Draft) {
  const { t } = useTranslation();
  return useMutation({
    mutationFn: () =>
      api.post("/api/user/webhook/test", {
        body: { webhook_url: webhookUrl.trim(), webhook_secret: webhookSecret },
        fits: isObjectOf<TestWebhookResult>({ status: isNumber, duration_ms: isNumber }),
        timeoutMs: TEST_TIMEOUT_MS,
      }),
    onSuccess: ({ status, duration_ms: ms }) =>
      notifySuccess(t("Webhook 回应 {{status}}，用时 {{time}}", { status, time: formatMilliseconds(ms) })),
    onError: notifyError,
  });
}

function WebhookFields({ draft, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const test = useWebhookTest(draft);
  const isWrong = draft.webhookUrl !== "" && !isHttps(draft.webhookUrl);
  return (
    <>
      <FieldFrame
        label={t("Webhook 地址")}
        required
        help={t("只支持 https。通知以 POST JSON 发送，失败会重试。")}
        error={isWrong ? t("Webhook 地址必须是 https 地址") : undefined}
      >
        {(control) => (
          <div className="flex gap-2">
            <Input
              {...control}
              type="url"
              autoComplete="off"
              placeholder="https://example.com/hook"
              value={draft.webhookUrl}
              onChange={(event) => onChange({ webhookUrl: event.target.value })}
            />
            <BusyButton
              variant="outline"
              busy={test.isPending}
              disabled={!isHttps(draft.webhookUrl)}
              onClick={() => test.mutate()}
            >
              {t("测试")}
            </BusyButton>
          </div>
        )}
      </FieldFrame>
      <FieldFrame
        label={t("Webhook 密钥")}
        help={
          draft.hasWebhookSecret
            ? t("已设置，留空则不修改。用来签名请求头 X-Webhook-Signature（HMAC-SHA256）。")
            : t("可选。用来签名请求头 X-Webhook-Signature（HMAC-SHA256）。")
        }
      >
        {(control) => (
          <Input
            {...control}
            type="password"
            autoComplete="new-password"
            value={draft.webhookSecret}
            onChange={(event) => onChange({ webhookSecret: event.target.value })}
          />
        )}
      </FieldFrame>
    </>
  );
}

function EmailField({ draft, onChange, email }: FieldsProps & { readonly email: string }) {
  const { t } = useTranslation();
  return (
    <FieldFrame
      label={t("通知邮箱")}
      help={
        email === ""
          ? t("留空则发送到绑定的邮箱；您还没有绑定邮箱。")
          : t("留空则发送到绑定的邮箱 {{email}}。", { email })
      }
    >
      {(control) => (
        <Input
          {...control}
          type="email"
          autoComplete="email"
          value={draft.notificationEmail}
          onChange={(event) => onChange({ notificationEmail: event.target.value })}
        />
      )}
    </FieldFrame>
  );
}

type FormProps = {
  readonly stored: UserSetting;
  readonly email: string;
  readonly save: ReturnType<typeof useUserSetting>["save"];
};

function NotificationForm({ stored, email, save }: FormProps) {
  const { t } = useTranslation();
  const once = useOnce();
  const [changes, setChanges] = useState<Partial<Draft>>({});
  const draft: Draft = { ...stored, webhookSecret: "", ...changes };
  const isDirty =
    draft.webhookSecret !== "" ||
    (["notifyType", "warningThreshold", "webhookUrl", "notificationEmail"] as const).some(
      (name) => draft[name] !== stored[name],
    );
  const wrongThreshold = !(draft.warningThreshold >= 0);
  const wrongWebhook = draft.notifyType === "webhook" && !isHttps(draft.webhookUrl);
  useUnsavedGuard(isDirty && !save.isPending);
  const onChange = (change: Partial<Draft>): void => setChanges((now) => ({ ...now, ...change }));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (wrongThreshold || wrongWebhook) return;
    const { webhookSecret, ...setting } = draft;
    once(() =>
      save.mutateAsync({ setting, webhookSecret }).then(
        () => setChanges({}),
        () => undefined,
      ),
    );
  };
  return (
    <form noValidate className="flex flex-col gap-4 sm:max-w-lg" onSubmit={submit}>
      <FieldFrame
        label={t("额度预警阈值")}
        help={t("余额低于它时提醒一次，2 小时内不再重复。0 表示不提醒。")}
        error={wrongThreshold ? t("不能为负数") : undefined}
      >
        {(control) => (
          <MoneyInput
            control={control}
            quota={draft.warningThreshold}
            onQuotaChange={(warningThreshold) => onChange({ warningThreshold })}
            presets={PRESETS_DOLLARS}
          />
        )}
      </FieldFrame>
      <FieldFrame label={t("通知方式")}>
        {(control) => (
          <OptionSelect
            {...control}
            className="h-9 sm:w-48"
            value={draft.notifyType}
            options={[
              { value: "email", label: t("邮件") },
              { value: "webhook", label: "Webhook" },
            ]}
            onValueChange={(value) => onChange({ notifyType: value === "webhook" ? "webhook" : "email" })}
          />
        )}
      </FieldFrame>
      {draft.notifyType === "webhook" ? (
        <WebhookFields draft={draft} onChange={onChange} />
      ) : (
        <EmailField draft={draft} onChange={onChange} email={email} />
      )}
      <div>
        <BusyButton
          type="submit"

          busy={save.isPending}
          disabled={!isDirty || wrongThreshold || wrongWebhook}
        >
          {t("保存")}
        </BusyButton>
      </div>
    </form>
  );
}

/** When and where the user is told of things. */
export function NotificationSettings() {
  const { t } = useTranslation();
  const { stored, email, error, retry, save } = useUserSetting();
  if (!stored)
    return error === null ? <Skeleton className="h-64 w-full" /> : <ErrorState error={error} onRetry={retry} />;
  return (
    <TitledCard title={t("通知设置")} description={t("余额不足时，用邮件或 Webhook 提醒您。")}>
      <NotificationForm stored={stored} email={email} save={save} />
    </TitledCard>
  );
}
