import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { FieldFrame } from "../../components/form/field-frame.tsx";
import { SmallFields } from "../../components/form/small-fields.tsx";
import { Notice } from "../../components/notice.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../components/ui/dialog.tsx";
import { Input } from "../../components/ui/input.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { notifySuccess } from "../../lib/toast.ts";
import { useTurnstile } from "../../domain/identity/use-turnstile.tsx";
import { Code, Email, isEmail } from "../../domain/identity/registration-form.ts";
import { SendCodeButton } from "../../domain/identity/send-code-button.tsx";
import { bindEmail } from "./security/security-api.ts";

const EMPTY = { email: "", code: "" };
const EmailForm = z.object({ email: Email, code: Code });
type Values = z.infer<typeof EmailForm>;

/** Binds an e-mail address that the user can read. */
export function EmailDialog({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const form = useSmallForm(EmailForm, EMPTY);
  const turnstile = useTurnstile();
  const bind = useMutation({
    mutationFn: ({ email, code }: Values) => bindEmail(email, code),
    onSuccess: () => {
      notifySuccess(t("绑定成功"));
      onClose();
    },
  });
  const emailError = form.getError("email");
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-md">
        <DialogTitle>{t("绑定邮箱")}</DialogTitle>
        <DialogDescription>{t("我们会向邮箱发送验证码，10 分钟内有效。")}</DialogDescription>
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={form.submit((values) => bind.mutateAsync(values).catch(() => undefined))}
        >
          {bind.isError && <Notice tone="bad">{describeError(bind.error, t)}</Notice>}
          <FieldFrame label={t("邮箱")} error={emailError && t(emailError)}>
            {(control) => (
              <div className="flex gap-2">
                <Input {...control} {...form.field("email")} type="email" autoComplete="email" autoFocus />
                <SendCodeButton
                  email={form.values.email}
                  turnstile={turnstile.token}
                  onBlocked={() => {
                    form.touch("email");
                    return !isEmail(form.values.email) || turnstile.wait !== undefined;
                  }}
                />
              </div>
            )}
          </FieldFrame>
          {turnstile.widget}
          <SmallFields
            form={form}
            fields={[{ name: "code", label: text("邮箱验证码"), autoComplete: "one-time-code", inputMode: "numeric" }]}
          />
          <BusyButton type="submit" busy={bind.isPending}>
            {t("绑定")}
          </BusyButton>
        </form>
      </DialogContent>
    </Dialog>
  );
}
