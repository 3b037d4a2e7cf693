import type { OpenSession } from "@turnpike/contract/api/identity";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { MonitorSmartphone } from "lucide-react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../../components/confirm.ts";
import { ErrorState } from "../../../components/states.tsx";
import { Time } from "../../../components/time.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { clearSession } from "../../../lib/session/account.ts";
import { notifyError, notifySuccess } from "../../../lib/toast.ts";
import { describeDevice } from "./device.ts";
import { endAllSessions, endSession, refreshSessions, sessionsQuery } from "./security-api.ts";
import { TitledCard } from "../titled-card.tsx";

function SessionRow({ session, onEnd }: { readonly session: OpenSession; readonly onEnd: () => void }) {
  const { t } = useTranslation();
  const device = describeDevice(session.user_agent) || t("未知设备");
  return (
    <li className="flex min-h-12 items-center gap-3 border-b py-2 last:border-b-0">
      <MonitorSmartphone className="size-4 shrink-0" aria-hidden />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-center gap-2" title={session.user_agent}>
          {device}
          {session.current && <StatusBadge tone="good">{t("当前设备")}</StatusBadge>}
        </p>
        <p className="text-[13px] text-muted-foreground">
          <span className="font-mono text-xs">{session.address}</span>
          {" · "}
          {t("最近活动")} <Time seconds={session.last_seen_at} />
        </p>
      </div>
      {!session.current && (
        <Button variant="outline" size="sm" aria-label={t("结束 {{name}} 的登录", { name: device })} onClick={onEnd}>
          {t("结束")}
        </Button>
      )}
    </li>
  );
}

/** The user's open sessions. */
export function SessionsCard() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const sessions = useQuery(sessionsQuery);
  const end = useMutation({
    mutationFn: endSession,
    onSuccess: () => notifySuccess(t("已结束该登录")),
    onError: notifyError,
    onSettled: refreshSessions,
  });
  const endOthers = useMutation({
    mutationFn: () => endAllSessions(true),
    onSuccess: () => notifySuccess(t("其他设备已退出登录")),
    onError: notifyError,
    onSettled: refreshSessions,
  });
  const leaveEverywhere = async (): Promise<void> => {
    const sure = await confirm({
      title: t("在所有设备上退出登录？"),
      description: t("包括当前设备，之后需要重新登录。"),
      action: t("全部退出"),
      danger: true,
    });
    if (!sure) return;
    try {
      await endAllSessions(false);
      clearSession();
      await navigate({ to: "/login" });
    } catch (error) {
      notifyError(error);
    }
  };
  const hasOthers = sessions.data?.some(({ current }) => !current) === true;
  return (
    <TitledCard
      title={t("登录会话")}
      description={t("不认识的设备，请结束它的登录并修改密码。")}
      actions={
        <>
          {hasOthers && (
            <BusyButton variant="outline" size="sm" busy={endOthers.isPending} onClick={() => endOthers.mutate()}>
              {t("退出其他设备")}
            </BusyButton>
          )}
          <Button variant="outline" size="sm" className="text-destructive" onClick={() => void leaveEverywhere()}>
            {t("全部退出")}
          </Button>
        </>
      }
    >
      {sessions.isError && !sessions.data && (
        <ErrorState error={sessions.error} onRetry={() => void sessions.refetch()} />
      )}
      {sessions.isPending && <Skeleton className="h-12 w-full" />}
      <ul className="empty:hidden">
        {sessions.data?.map((session) => (
          <SessionRow key={session.id} session={session} onEnd={() => end.mutate(session.id)} />
        ))}
      </ul>
    </TitledCard>
  );
}
