import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldFrame } from "../../../components/form/field-frame.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Input } from "../../../components/ui/input.tsx";
import { useOnce } from "../../../hooks/use-once.ts";
import { describeError } from "../../../lib/api-error.ts";
import { notifySuccess } from "../../../lib/toast.ts";
import { SettingsPanel } from "../section/settings-panel.tsx";
import { type OptionValues, sendTestMail } from "../settings-api.ts";
import { SMTP } from "./system-panels.ts";

/** Sends one mail with the stored settings and says at the field what became of it. */
function TestMail({ hasChanges }: { readonly hasChanges: boolean }) {
  const { t } = useTranslation();
  const once = useOnce();
  const [to, setTo] = useState("");
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const send = async (): Promise<void> => {
    setProblem(to.includes("@") ? undefined : t("请输入邮箱地址"));
    if (!to.includes("@")) return;
    setBusy(true);
    try {
      await sendTestMail(to.trim());
      notifySuccess(t("测试邮件已发送到 {{to}}", { to: to.trim() }));
    } catch (error) {
      setProblem(describeError(error, t));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        once(send);
      }}
    >
      <FieldFrame
        label={t("发送测试邮件")}
        help={hasChanges ? t("请先保存修改：测试使用已保存的设置。") : t("用已保存的设置立即发送一封邮件。")}
        error={problem}
      >
        {(control) => (
          <div className="flex flex-wrap items-center gap-2">
            <Input
              {...control}
              type="email"
              autoComplete="email"
              placeholder="you@example.com"
              className="max-w-xs"
              value={to}
              onChange={(event) => setTo(event.target.value)}
            />
            <BusyButton variant="outline" type="submit" busy={busy} disabled={hasChanges}>
              {t("发送")}
            </BusyButton>
          </div>
        )}
      </FieldFrame>
    </form>
  );
}

/** Where mail is sent from, with a mail to try it. */
export function SmtpPanel({ values }: { readonly values: OptionValues }) {
  return (
    <SettingsPanel panel={SMTP} values={values}>
      {(section) => <TestMail hasChanges={section.changed.length > 0} />}
    </SettingsPanel>
  );
}
