import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { BusyButton } from "../../components/busy-button.tsx";
import { useCountdown } from "../../hooks/use-countdown.ts";
import { api } from "../../lib/api/api-client.ts";
import { ApiError } from "../../lib/api/api-error.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";

const AGAIN_AFTER_SECONDS = 30;

type SendCodeButtonProps = {
  readonly email: string;
  /** The response of the Turnstile check, "" without one. */
  readonly turnstile: string;
  /** Shows why the code cannot be sent, if so. */
  readonly onBlocked: () => boolean;
};

/** Sends a code to an address, at most once in 30 seconds. */
export function SendCodeButton({ email, turnstile, onBlocked }: SendCodeButtonProps) {
  const { t } = useTranslation();
  const { left, start } = useCountdown();
  const send = useMutation({
    mutationFn: () => api.get("/api/verification", { query: { email: email.trim(), turnstile } }),
    onSuccess: () => {
      notifySuccess(t("验证码已发送，请查看邮箱"));
      start(AGAIN_AFTER_SECONDS);
    },
    onError: (error) => {
      if (error instanceof ApiError && error.details.status === 429) {
        start(error.details.retryAfterSeconds ?? AGAIN_AFTER_SECONDS);
      }
      notifyError(error);
    },
  });
  return (
    <BusyButton
      variant="outline"
      busy={send.isPending}
      disabled={left > 0}
      onClick={() => !onBlocked() && send.mutate()}
    >
      {left > 0 ? t("{{seconds}} 秒后可重发", { seconds: left }) : t("发送验证码")}
    </BusyButton>
  );
}
