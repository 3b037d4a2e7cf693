import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { SmallFields } from "../../components/form/small-fields.tsx";
import { Notice } from "../../components/notice.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { text } from "../../lib/text/i18n-source.ts";
import { Code } from "../../domain/identity/registration-form.ts";
import { signInWithCode } from "../../domain/identity/sign-in-api.ts";

const CodeForm = z.object({ code: Code });

type SecondFactorFormProps = { readonly onDone: () => void; readonly onCancel: () => void };

/** The second step of a sign-in. */
export function SecondFactorForm({ onDone, onCancel }: SecondFactorFormProps) {
  const { t } = useTranslation();
  const form = useSmallForm(CodeForm, { code: "" });
  const check = useMutation({ mutationFn: signInWithCode, onSuccess: onDone });
  return (
    <form
      noValidate
      className="flex flex-col gap-4"
      onSubmit={form.submit(({ code }) => check.mutateAsync(code.trim()).catch(() => undefined))}
    >
      {check.isError && <Notice tone="bad">{describeError(check.error, t)}</Notice>}
      <SmallFields
        form={form}
        fields={[
          {
            name: "code",
            label: text("两步验证码"),
            help: text("验证器应用里的 6 位数字，或一个恢复码。"),
            autoComplete: "one-time-code",
            autoFocus: true,
          },
        ]}
      />
      <BusyButton type="submit" busy={check.isPending}>
        {t("继续")}
      </BusyButton>
      <Button variant="ghost" onClick={onCancel}>
        {t("重新登录")}
      </Button>
    </form>
  );
}
