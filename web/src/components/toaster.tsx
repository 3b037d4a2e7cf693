import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { toast, Toaster as Sonner } from "sonner";
import { useTheme } from "../lib/theme.ts";
import { useToasts } from "../lib/toast.ts";

/** Shows the toasts that wait. */
export function Toaster() {
  const { t } = useTranslation();
  const dark = useTheme((state) => state.dark);
  const { waiting, shown } = useToasts();
  useEffect(() => {
    // Taken from the store before they are shown: whatever makes this run again finds nothing left to say twice.
    const taken = useToasts.getState().waiting;
    if (taken.length === 0) return;
    shown();
    for (const { kind, message, description } of taken) toast[kind](message, { description });
  }, [waiting, shown]);
  return (
    <Sonner
      theme={dark ? "dark" : "light"}
      position="bottom-right"
      closeButton
      containerAriaLabel={t("通知")}
      toastOptions={{ closeButtonAriaLabel: t("关闭") }}
    />
  );
}
