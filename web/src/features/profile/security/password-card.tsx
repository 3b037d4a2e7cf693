import type { UserProfile } from "@turnpike/contract/api/user";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { SmallFields } from "../../../components/form/small-fields.tsx";
import { Notice } from "../../../components/notice.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { useSmallForm } from "../../../hooks/use-small-form.ts";
import { text } from "../../../lib/text/i18n-source.ts";
import { notifySuccess } from "../../../lib/toast.ts";
import { Password } from "../../../domain/identity/registration-form.ts";
import { updateSelf } from "../profile-api.ts";
import { refreshSessions } from "./security-api.ts";
import { TitledCard } from "../titled-card.tsx";

const EMPTY = { original: "", password: "", repeated: "" };
type Passwords = typeof EMPTY;

const PasswordForm = z.object({ original: z.string(), password: Password, repeated: z.string() }).check(
  z.refine(({ password, repeated }) => password === repeated, {
    path: ["repeated"],
    error: text("两次输入的密码不一致"),
  }),
);

const FIELDS_BY_CODE = {
  original_password_wrong: "original",
  password_too_short: "password",
  password_too_long: "password",
} as const;

/** Changes the password. */
export function PasswordCard({ user }: { readonly user: UserProfile }) {
  const { t } = useTranslation();
  const form = useSmallForm(PasswordForm, EMPTY);
  const change = useMutation({
    mutationFn: ({ original, password }: Passwords) => updateSelf({ original_password: original, password }),
    onSuccess: async () => {
      notifySuccess(t("密码已修改，其他设备需要重新登录"));
      form.reset();
      await refreshSessions();
    },
    onError: (error) => form.fail(error, FIELDS_BY_CODE),
  });
  return (
    <TitledCard title={t("修改密码")} description={t("修改后，其他设备上的登录都会结束。")}>
      {user.must_change_password && <Notice tone="warn">{t("您正在使用别人设置的密码，请立刻修改。")}</Notice>}
      <form
        noValidate
        className="flex flex-col gap-4"
        onSubmit={form.submit((values) => change.mutateAsync(values).catch(() => undefined))}
      >
        <SmallFields
          form={form}
          fields={[
            {
              name: "original",
              label: text("原密码"),
              help: text("用第三方账户注册、还没有密码时留空。"),
              type: "password",
              autoComplete: "current-password",
            },
            {
              name: "password",
              label: text("新密码"),
              help: text("8 到 20 个字符。"),
              type: "password",
              autoComplete: "new-password",
            },
            { name: "repeated", label: text("确认新密码"), type: "password", autoComplete: "new-password" },
          ]}
        />
        <div>
          <BusyButton variant="outline" type="submit" busy={change.isPending}>
            {t("修改密码")}
          </BusyButton>
        </div>
      </form>
    </TitledCard>
  );
}
