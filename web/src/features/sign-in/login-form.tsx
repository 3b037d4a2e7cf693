import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { SmallFields } from "../../components/form/small-fields.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { useSmallForm } from "../../hooks/use-small-form.ts";
import { text } from "../../lib/text/i18n-source.ts";

const EMPTY = { username: "", password: "" };

const CredentialsForm = z.object({
  username: z.string().check(z.trim(), z.minLength(1, text("请输入用户名或邮箱"))),
  password: z.string().check(z.minLength(1, text("请输入密码"))),
});
type Credentials = z.infer<typeof CredentialsForm>;

type LoginFormProps = {
  readonly isBusy: boolean;
  /** The credentials were refused: the password is selected for retyping. */
  readonly isRefused: boolean;
  readonly onSubmit: (credentials: Credentials) => Promise<unknown>;
};

/** The two fields of a sign-in. */
export function LoginForm({ isBusy, isRefused, onSubmit }: LoginFormProps) {
  const { t } = useTranslation();
  const element = useRef<HTMLFormElement>(null);
  const form = useSmallForm(CredentialsForm, EMPTY);
  useEffect(() => {
    if (isRefused) element.current?.querySelector<HTMLInputElement>("[name=password]")?.select();
  }, [isRefused]);
  return (
    <form ref={element} noValidate className="flex flex-col gap-4" onSubmit={form.submit(onSubmit)}>
      <SmallFields
        form={form}
        fields={[
          { name: "username", label: text("用户名或邮箱"), autoComplete: "username", autoFocus: true },
          { name: "password", label: text("密码"), type: "password", autoComplete: "current-password" },
        ]}
      />
      <BusyButton type="submit" busy={isBusy}>
        {t("登录")}
      </BusyButton>
    </form>
  );
}
