import type { LedgerCheck } from "@turnpike/contract/api/ledger";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorState } from "../../../components/states.tsx";
import { Time } from "../../../components/time.tsx";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Card } from "../../../components/ui/card.tsx";
import { Skeleton } from "../../../components/ui/skeleton.tsx";
import { queryClient } from "../../../lib/query-client.ts";
import { notifyError } from "../../../lib/toast.ts";
import { ledgerCheckQuery, startLedgerCheck } from "./ledger-api.ts";

const TROUBLE = "MISMATCH";

function CheckState({ check }: { readonly check: LedgerCheck }) {
  const { t } = useTranslation();
  if (check.state === "none") return <Badge>{t("还没有检查过")}</Badge>;
  if (check.state === "running") return <Badge tone="info">{t("正在检查…")}</Badge>;
  if (check.state === "failed") return <Badge tone="bad">{t("检查没有完成")}</Badge>;
  return check.is_clean ? (
    <Badge dot tone="good">
      {t("账目一致")}
    </Badge>
  ) : (
    <Badge dot tone="bad">
      {t("账目不一致")}
    </Badge>
  );
}

/** Compares all books with each other, on demand, and shows what was found. For root. */
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
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div>
          <h2 className="font-semibold">{t("核对账目")}</h2>
          <p className="text-[13px] text-muted-foreground">
            {t("把账户、账本、令牌、日志和每小时的统计逐一对照。系统可以照常运行。")}
          </p>
        </div>
        <Button busy={isRunning} onClick={() => start.mutate()}>
          {t("开始核对")}
        </Button>
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
            <ul className="max-h-64 overflow-y-auto rounded-lg border p-3 font-mono text-xs" tabIndex={0}>
              {run.lines.map((line) => (
                <li key={line} className={line.startsWith(TROUBLE) ? "text-bad" : undefined} lang="en">
                  {line}
                </li>
              ))}
            </ul>
          )}
        </div>
      )}
    </Card>
  );
}
