import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CenteredPage } from "../../components/centered-page.tsx";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { type SmallField, SmallFields } from "../../components/form/small-fields.tsx";
import { Notice } from "../../components/notice.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Input } from "../../components/ui/input.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { api } from "../../lib/api/api-client.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { useSiteStatus } from "../../lib/status.ts";
import { notifySuccess } from "../../lib/toast.ts";
import { OtherWays } from "./other-ways.tsx";
import { useSignInOptions } from "./sign-in-offer.ts";
import { useTurnstile } from "../../domain/identity/use-turnstile.tsx";
import {
  toRequestBody,
  EMPTY_REGISTRATION,
  type Registration,
  RegistrationForm,
  VerifiedRegistrationForm,
  isEmail,
} from "../../domain/identity/registration-form.ts";
import { SendCodeButton } from "../../domain/identity/send-code-button.tsx";

const route = getRouteApi("/register");

const ACCOUNT_FIELDS: readonly SmallField<keyof Registration>[] = [
  {
    name: "username",
    label: text("用户名"),
    help: text("最多 20 个字符。"),
    autoComplete: "username",
    autoFocus: true,
  },
  {
    name: "password",
    label: text("密码"),
    help: text("8 到 20 个字符。"),
    type: "password",
    autoComplete: "new-password",
  },
  { name: "password2", label: text("确认密码"), type: "password", autoComplete: "new-password" },
];
const CODE_FIELD: readonly SmallField<keyof Registration>[] = [
  { name: "code", label: text("邮箱验证码"), autoComplete: "one-time-code", inputMode: "numeric" },
];
const AFF_FIELD: readonly SmallField<keyof Registration>[] = [
  { name: "aff", label: text("邀请码（可选）"), autoComplete: "off" },
];

type Form = ReturnType<typeof useSmallForm<Registration>>;

function EmailFields({ form, turnstile, onWait }: { form: Form; turnstile: string; onWait: () => boolean }) {
  const { t } = useTranslation();
  const error = form.getError("email");
  return (
    <>
      <FieldFrame label={t("邮箱")} error={error && t(error)}>
        {(control) => (
          <div className="flex gap-2">
            <Input {...control} {...form.field("email")} type="email" autoComplete="email" autoCapitalize="none" />
            <SendCodeButton
              email={form.values.email}
              turnstile={turnstile}
              onBlocked={() => {
                if (isEmail(form.values.email)) return onWait();
                form.touch("email");
                return true;
              }}
            />
          </div>
        )}
      </FieldFrame>
      <SmallFields form={form} fields={CODE_FIELD} />
    </>
  );
}

function RegisterForm() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { aff = "" } = route.useSearch();
  const withEmail = useSiteStatus()?.email_verification === true;
  const form = useSmallForm(withEmail ? VerifiedRegistrationForm : RegistrationForm, { ...EMPTY_REGISTRATION, aff });
  const turnstile = useTurnstile();
  const [problem, setProblem] = useState<string>();
  const waits = (): boolean => {
    setProblem(turnstile.wait);
    return turnstile.wait !== undefined;
  };
  const register = useMutation({
    mutationFn: (values: Registration) =>
      api.post("/api/user/register", {
        body: toRequestBody(values),
        query: { turnstile: turnstile.token },
        timeoutMs: 15_000,
      }),
    onSuccess: () => {
      notifySuccess(t("注册成功，请登录"));
      void navigate({ to: "/login" });
    },
    onError: (error) => setProblem(describeError(error, t)),
  });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.submit(async (values) => {
        if (!waits()) await register.mutateAsync(values).catch(() => undefined);
      })}
    >
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      <SmallFields form={form} fields={ACCOUNT_FIELDS} />
      {withEmail && <EmailFields form={form} turnstile={turnstile.token} onWait={waits} />}
      <SmallFields form={form} fields={AFF_FIELD} />
      {turnstile.widget}
      <BusyButton type="submit" busy={register.isPending}>
        {t("注册")}
      </BusyButton>
    </form>
  );
}

/** Registration. */
export function RegisterPage() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const status = useSiteStatus();
  const offer = useSignInOptions();
  const { aff } = route.useSearch();
  const [problem, setProblem] = useState<string>();
  return (
    <CenteredPage title={t("注册 {{site}}", { site: status?.system_name ?? "Turnpike" })}>
      {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
      {offer.passwordRegistration && <RegisterForm />}
      {!offer.registration && <Notice tone="info">{t("本站没有开放注册。")}</Notice>}
      {offer.registration && (
        <div className="flex flex-col gap-2 empty:hidden">
          <OtherWays
            aff={aff}
            returnTo="/app/tokens"
            onlyNew
            onOutcome={() => void navigate({ to: "/app/tokens" })}
            onError={(error) => setProblem(describeError(error, t))}
          />
        </div>
      )}
      <p className="text-[13px]">
        <Link to="/login" className="text-accent-text underline-offset-4 hover:underline">
          {t("已有账户？登录")}
        </Link>
      </p>
    </CenteredPage>
  );
}
