import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { isEmail } from "../../../domain/identity/registration-form.ts";
import { useSmallForm } from "../../../hooks/use-small-form.ts";
import { describeError } from "../../../lib/api/api-error.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { notifySuccess } from "../../../lib/toast.ts";
import { SettingsPanel } from "../section/settings-panel.tsx";
import { type OptionValues, sendTestMail } from "../settings-api.ts";
import { SMTP } from "./system-panels.ts";

const TestMailForm = z.object({ to: z.string().check(z.trim(), z.refine(isEmail, text("请输入邮箱地址"))) });

/** Sends a test mail with the stored settings and shows the result at the field. */
function TestMail({ hasChanges }: { readonly hasChanges: boolean }) {
  const { t } = useTranslation();
  const form = useSmallForm(TestMailForm, { to: "" });
  const error = form.getError("to");
  const send = useMutation({
    mutationFn: sendTestMail,
    onSuccess: (_, to) => notifySuccess(t("测试邮件已发送到 {{to}}", { to })),
    onError: (failure) => form.showError("to", describeError(failure, t)),
  });
  return (
    <form noValidate onSubmit={form.submit(({ to }) => send.mutateAsync(to).catch(() => undefined))}>
      <FieldFrame
        label={t("发送测试邮件")}
        help={hasChanges ? t("请先保存修改：测试使用已保存的设置。") : t("用已保存的设置立即发送一封邮件。")}
        error={error && t(error)}
      >
        {(control) => (
          <div className="flex flex-wrap items-center gap-2">
            <Input
              {...control}
              {...form.field("to")}
              type="email"
              autoComplete="email"
              placeholder="you@example.com"
              className="max-w-xs"
            />
            <BusyButton variant="outline" type="submit" busy={send.isPending} disabled={hasChanges}>
              {t("发送")}
            </BusyButton>
          </div>
        )}
      </FieldFrame>
    </form>
  );
}

/** The mail server, with a test mail. */
export function SmtpPanel({ values }: { readonly values: OptionValues }) {
  return (
    <SettingsPanel panel={SMTP} values={values}>
      {(section) => <TestMail hasChanges={section.changed.length > 0} />}
    </SettingsPanel>
  );
}
