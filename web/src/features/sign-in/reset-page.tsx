import { useMutation } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { CenteredPage } from "../../components/centered-page.tsx";
import { SmallFields } from "../../components/form/small-fields.tsx";
import { Notice } from "../../components/notice.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { useCountdown } from "../../hooks/use-countdown.ts";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { api } from "../../lib/api/api-client.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { useTurnstile } from "../../domain/identity/use-turnstile.tsx";
import { Email } from "../../domain/identity/registration-form.ts";

const AGAIN_AFTER_SECONDS = 30;

// An empty field is valid, but the form does not send it.
const ResetForm = z.object({ email: z.union([z.string().check(z.trim(), z.maxLength(0)), Email]) });

/** Requests a link that sets a new password. */
export function ResetPage() {
  const { t } = useTranslation();
  const form = useSmallForm(ResetForm, { email: "" });
  const turnstile = useTurnstile();
  const { left, start } = useCountdown();
  const [problem, setProblem] = useState<string>();
  const send = useMutation({
    mutationFn: (email: string) => api.get("/api/reset_password", { query: { email, turnstile: turnstile.token } }),
    onMutate: () => setProblem(undefined),
    onError: (error) => setProblem(describeError(error, t)),
    onSettled: () => start(AGAIN_AFTER_SECONDS),
  });
  return (
    <CenteredPage title={t("重置密码")} description={t("我们会把重置链接发到您的邮箱，10 分钟内有效。")}>
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={form.submit(async ({ email }) => {
          if (email === "") return;
          if (turnstile.wait !== undefined) return setProblem(turnstile.wait);
          await send.mutateAsync(email).catch(() => undefined);
        })}
      >
        {problem !== undefined && <Notice tone="bad">{problem}</Notice>}
        {send.isSuccess && problem === undefined && (
          <Notice tone="good">{t("如果这个邮箱已注册，重置邮件很快就会送达。请检查收件箱和垃圾邮件。")}</Notice>
        )}
        <SmallFields
          form={form}
          fields={[{ name: "email", label: text("邮箱"), type: "email", autoComplete: "email", autoFocus: true }]}
        />
        {turnstile.widget}
        <BusyButton type="submit" busy={send.isPending} disabled={left > 0}>
          {left > 0 ? t("{{seconds}} 秒后可重试", { seconds: left }) : t("发送重置邮件")}
        </BusyButton>
      </form>
      <p className="text-[13px]">
        <Link to="/login" className="text-accent-text underline-offset-4 hover:underline">
          {t("返回登录")}
        </Link>
      </p>
    </CenteredPage>
  );
}
