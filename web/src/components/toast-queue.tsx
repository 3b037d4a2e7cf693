import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { notifyError, notifySuccess, useToasts } from "../lib/toast.ts";
import { Toaster } from "./ui/sonner.tsx";

/** How long an action can be taken back from its toast. */
const UNDO_MS = 10_000;

/** Shows the toasts that are queued. */
export function ToastQueue() {
  const { t } = useTranslation();
  const { waiting, shown } = useToasts();
  useEffect(() => {
    // Toasts are removed from the store before they are shown, so that a repeated effect shows none twice.
    const taken = useToasts.getState().waiting;
    if (taken.length === 0) return;
    shown();
    for (const { kind, message, description, undo } of taken) {
      const action = undo && {
        label: t("撤销"),
        onClick: () => void undo().then(() => notifySuccess(t("已撤销")), notifyError),
      };
      toast[kind](message, { description, ...(action ? { action, duration: UNDO_MS } : {}) });
    }
  }, [waiting, shown, t]);
  return (
    <Toaster
      position="bottom-right"
      closeButton
      containerAriaLabel={t("通知")}
      toastOptions={{ closeButtonAriaLabel: t("关闭") }}
    />
  );
}
