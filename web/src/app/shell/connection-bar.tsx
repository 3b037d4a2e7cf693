import { useQueryClient } from "@tanstack/react-query";
import { WifiOff } from "lucide-react";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { useConnection } from "../../lib/api/connection.ts";
import { statusQuery } from "../../lib/status.ts";

const PROBE_MS = 3_000;

/** Shows that the gateway is unreachable, polls until it responds, and then refetches everything on the page. */
export function ConnectionBar() {
  const { t } = useTranslation();
  const unreachable = useConnection((state) => state.unreachable);
  const client = useQueryClient();
  useEffect(() => {
    if (!unreachable) return;
    const probe = async (): Promise<void> => {
      if (document.hidden) return;
      await client.fetchQuery({ ...statusQuery, staleTime: 0, retry: false }).catch(() => undefined);
      if (!useConnection.getState().unreachable) await client.invalidateQueries();
    };
    const timer = setInterval(() => void probe(), PROBE_MS);
    const atOnce = (): void => void probe();
    window.addEventListener("online", atOnce);
    return () => {
      clearInterval(timer);
      window.removeEventListener("online", atOnce);
    };
  }, [unreachable, client]);
  return (
    <div role="status">
      {unreachable && (
        <p className="flex items-center justify-center gap-2 bg-destructive px-3 py-1.5 text-[13px] text-white dark:text-zinc-950">
          <WifiOff className="size-4 shrink-0" aria-hidden />
          {t("无法连接到服务器，正在重试…")}
        </p>
      )}
    </div>
  );
}
