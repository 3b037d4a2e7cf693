import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import {
  AlertDialog,
  AlertDialogAction,
  AlertDialogCancel,
  AlertDialogContent,
  AlertDialogDescription,
  AlertDialogTitle,
} from "../components/ui/alert-dialog.tsx";
import { Button } from "../components/ui/button.tsx";
import { usePasswordWarning } from "../lib/session/password-warning.ts";

/** Warns after sign-in that another user chose the password. */
export function PasswordWarning() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const close = (): void => usePasswordWarning.setState({ isDue: false });
  return (
    <AlertDialog open onOpenChange={(open) => !open && close()}>
      <AlertDialogContent>
        <AlertDialogTitle>{t("您正在使用默认密码！")}</AlertDialogTitle>
        <AlertDialogDescription>
          {t("当前密码不是您自己设置的，知道它的人都能登录您的账户。请立刻修改。")}
        </AlertDialogDescription>
        <div className="mt-2 flex justify-end gap-2">
          <AlertDialogCancel asChild>
            <Button variant="outline">{t("稍后")}</Button>
          </AlertDialogCancel>
          <AlertDialogAction asChild>
            <Button onClick={() => void navigate({ to: "/app/me", search: { tab: "security" } })}>
              {t("立即修改")}
            </Button>
          </AlertDialogAction>
        </div>
      </AlertDialogContent>
    </AlertDialog>
  );
}
