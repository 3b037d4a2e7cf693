import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { toast } from "sonner";
import { useToasts } from "../lib/toast.ts";
import { Toaster } from "./ui/sonner.tsx";

/** Shows the toasts that are queued. */
export function ToastQueue() {
  const { t } = useTranslation();
  const { waiting, shown } = useToasts();
  useEffect(() => {
    // Taken from the store before they are shown: whatever makes this run again finds nothing left to say twice.
    const taken = useToasts.getState().waiting;
    if (taken.length === 0) return;
    shown();
    for (const { kind, message, description } of taken) toast[kind](message, { description });
  }, [waiting, shown]);
  return (
    <Toaster
      position="bottom-right"
      closeButton
      containerAriaLabel={t("通知")}
      toastOptions={{ closeButtonAriaLabel: t("关闭") }}
    />
  );
}
