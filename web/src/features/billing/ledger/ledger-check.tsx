import type { LedgerCheck } from "@turnpike/contract/api/ledger";
import { useMutation, useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { ErrorState } from "../../../components/states.tsx";
import { Time } from "../../../components/time.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { Card, CardContent } from "../../../components/ui/card.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { queryClient } from "../../../lib/api/query-client.ts";
import { notifyError } from "../../../lib/toast.ts";
import { BusyButton } from "../../../components/busy-button.tsx";
import { ledgerCheckQuery, startLedgerCheck } from "./ledger-api.ts";

const CheckLines = lazy(async () => ({ default: (await import("./check-lines.tsx")).CheckLines }));

function CheckState({ check }: { readonly check: LedgerCheck }) {
  const { t } = useTranslation();
  if (check.state === "none") return <StatusBadge>{t("还没有检查过")}</StatusBadge>;
  if (check.state === "running") return <StatusBadge tone="info">{t("正在检查…")}</StatusBadge>;
  if (check.state === "failed") return <StatusBadge tone="bad">{t("检查没有完成")}</StatusBadge>;
  return check.is_clean ? (
    <StatusBadge dot tone="good">
      {t("账目一致")}
    </StatusBadge>
  ) : (
    <StatusBadge dot tone="bad">
      {t("账目不一致")}
    </StatusBadge>
  );
}

/** Runs a reconciliation on demand and shows its result. For root. */
export function LedgerCheckCard() {
  const { t } = useTranslation();
  const check = useQuery(ledgerCheckQuery);
  const start = useMutation({
    mutationFn: startLedgerCheck,
    onSuccess: (run) => queryClient.setQueryData(ledgerCheckQuery.queryKey, run),
    onError: notifyError,
  });
  const run = check.data;
  const isRunning = start.isPending || run?.state === "running";
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center justify-between gap-2">
          <div>
            <h2 className="font-semibold">{t("核对账目")}</h2>
            <p className="text-[13px] text-muted-foreground">
              {t("把账户、账本、令牌、日志和每小时的统计逐一对照。系统可以照常运行。")}
            </p>
          </div>
          <BusyButton variant="outline" busy={isRunning} onClick={() => start.mutate()}>
            {t("开始核对")}
          </BusyButton>
        </div>
        {check.isPending && <Skeleton className="h-5 w-40" />}
        {check.isError && !run && <ErrorState error={check.error} onRetry={() => void check.refetch()} />}
        {run && (
          <div className="flex flex-col gap-2" aria-live="polite">
            <p className="flex flex-wrap items-center gap-2 text-[13px]">
              <CheckState check={run} />
              {run.finished_at > 0 && <Time seconds={run.finished_at} />}
            </p>
            {run.lines.length > 0 && (
              <Suspense fallback={<Skeleton className="h-40 w-full" />}>
                <CheckLines lines={run.lines} />
              </Suspense>
            )}
          </div>
        )}
      </CardContent>
    </Card>
  );
}
