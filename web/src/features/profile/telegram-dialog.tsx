import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Notice } from "../../components/notice.tsx";
import { Dialog, DialogContent, DialogDescription, DialogTitle } from "../../components/ui/dialog.tsx";
import { describeError } from "../../lib/api/api-error.ts";
import { notifySuccess } from "../../lib/toast.ts";
import { TelegramFrame } from "../../domain/identity/telegram-frame.tsx";
import { bindTelegram } from "./security/security-api.ts";

type TelegramDialogProps = { readonly botName: string; readonly onClose: () => void };

/** Binds the Telegram account that the user confirms in Telegram's frame. */
export function TelegramDialog({ botName, onClose }: TelegramDialogProps) {
  const { t } = useTranslation();
  const bind = useMutation({
    mutationFn: bindTelegram,
    onSuccess: () => {
      notifySuccess(t("绑定成功"));
      onClose();
    },
  });
  return (
    <Dialog open onOpenChange={(open) => !open && onClose()}>
      <DialogContent className="max-w-sm">
        <DialogTitle>{t("绑定 {{name}}", { name: "Telegram" })}</DialogTitle>
        <DialogDescription>{t("点击按钮，在 Telegram 里确认。")}</DialogDescription>
        {bind.isError && <Notice tone="bad">{describeError(bind.error, t)}</Notice>}
        <TelegramFrame botName={botName} onUser={bind.mutate} />
      </DialogContent>
    </Dialog>
  );
}
