import { useMutation } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { z } from "zod/mini";
import { CenteredPage } from "../../components/centered-page.tsx";
import { CopyButton } from "../../components/copy-button.tsx";
import { copyText } from "../../components/copy-text.ts";
import { Notice } from "../../components/notice.tsx";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useOnce } from "../../hooks/use-once.ts";
import { api } from "../../lib/api/api-client.ts";
import { describeError } from "../../lib/api/api-error.ts";
import { notifySuccess } from "../../lib/toast.ts";

const route = getRouteApi("/user/reset");

function NewPassword({ password }: { readonly password: string }) {
  const { t } = useTranslation();
  return (
    <>
      <Notice tone="good">{t("密码已重置。请用新密码登录，并尽快修改。")}</Notice>
      <p className="flex items-center gap-1 rounded-lg bg-surface py-1 pr-1 pl-3">
        <code className="min-w-0 flex-1 font-mono break-all">{password}</code>
        <CopyButton value={password} label={t("复制新密码")} />
      </p>
      <Button asChild>
        <Link to="/login">{t("前往登录")}</Link>
      </Button>
    </>
  );
}

/** The page behind a reset mail's link: requests a new password, shows it and copies it. */
export function ResetConfirmPage() {
  const { t } = useTranslation();
  const { email = "", token = "" } = route.useSearch();
  const once = useOnce();
  const isWhole = email !== "" && token !== "";
  const reset = useMutation({
    mutationFn: () => api.post("/api/user/reset", { body: { email, token }, schema: z.string(), timeoutMs: 15_000 }),
    onSuccess: async (password) => {
      if (await copyText(password)) notifySuccess(t("新密码已复制"));
    },
  });
  return (
    <CenteredPage title={t("重置密码")} {...(isWhole ? { description: email } : {})}>
      {!isWhole && <Notice tone="bad">{t("重置链接无效，请重新发送邮件。")}</Notice>}
      {reset.isError && <Notice tone="bad">{describeError(reset.error, t)}</Notice>}
      {reset.data !== undefined && <NewPassword password={reset.data} />}
      {isWhole && reset.data === undefined && (
        <BusyButton busy={reset.isPending} onClick={() => once(() => reset.mutateAsync().catch(() => undefined))}>
          {t("设置新密码")}
        </BusyButton>
      )}
      {(!isWhole || reset.isError) && (
        <Button variant="outline" asChild>
          <Link to="/reset">{t("重新发送邮件")}</Link>
        </Button>
      )}
    </CenteredPage>
  );
}
