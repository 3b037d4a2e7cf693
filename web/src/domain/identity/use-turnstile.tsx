import { lazy, type ReactNode, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSiteStatus } from "../../lib/status.ts";

const Turnstile = lazy(async () => ({ default: (await import("./turnstile.tsx")).Turnstile }));

/** The site's bot check, if enabled: the widget to show and the response to send. */
export function useTurnstile(): {
  readonly widget: ReactNode;
  readonly token: string;
  /** The reason why nothing can be sent yet, translated. */
  readonly wait: string | undefined;
} {
  const { t } = useTranslation();
  const status = useSiteStatus();
  const [token, setToken] = useState("");
  if (status?.turnstile_check !== true) return { widget: undefined, token: "", wait: undefined };
  return {
    widget: (
      <Suspense fallback={<div className="h-16" />}>
        <Turnstile siteKey={status.turnstile_site_key} onToken={setToken} />
      </Suspense>
    ),
    token,
    wait: token === "" ? t("正在进行人机验证，请等待几秒后重试") : undefined,
  };
}
