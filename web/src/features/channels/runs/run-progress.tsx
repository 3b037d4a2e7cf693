import type { ChannelRun } from "@turnpike/contract/api/channels/channel-runs";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { notifyError, notifySuccess } from "../../../lib/toast.ts";
import { cancelRun, type RunKind, runsQuery } from "../channel-bulk-api.ts";
import { listFinishedRuns } from "./finished-runs.ts";
import { refreshChannels } from "../../../domain/channels/channels-api.ts";

const isRunKind = (kind: string): kind is RunKind => kind === "test" || kind === "balance";

/**
 * Reports the end of each run, and refetches the list during runs. A run that ended before the first poll is reported
 * too.
 */
function useRunEnds(runs: readonly ChannelRun[] | undefined): void {
  const { t } = useTranslation();
  const before = useRef<readonly ChannelRun[]>(undefined);
  useEffect(() => {
    if (!runs) return;
    const ended = before.current === undefined ? [] : listFinishedRuns(before.current, runs);
    before.current = runs;
    for (const { kind, done, failed } of ended) {
      notifySuccess(
        kind === "test"
          ? t("测试结束：共 {{done}} 个渠道，{{failed}} 个失败", { done, failed })
          : t("余额更新结束：共 {{done}} 个渠道，{{failed}} 个失败", { done, failed }),
      );
    }
    if (ended.length > 0 || runs.some(({ running }) => running)) void refreshChannels();
  }, [runs, t]);
}

function Progress({ run, kind }: { readonly run: ChannelRun; readonly kind: RunKind }) {
  const { t } = useTranslation();
  const { done, total, failed } = run;
  const label = kind === "test" ? t("正在测试全部渠道") : t("正在更新余额");
  const share = total === 0 ? 0 : Math.min(1, done / total);
  return (
    <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 rounded-lg border px-3 py-1.5 text-[13px]">
      <span>{label}</span>
      <div
        role="progressbar"
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={Math.min(done, total)}
        className="h-1.5 min-w-24 flex-1 overflow-hidden rounded-full bg-muted"
      >
        <div className="h-full bg-primary transition-[width]" style={{ width: `${share * 100}%` }} />
      </div>
      <span className="text-muted-foreground tabular-nums">
        {`${done} / ${total}`}
        {failed > 0 && ` · ${t("{{count}} 个失败", { count: failed })}`}
      </span>
      <Button variant="outline" size="sm" className="h-7" onClick={() => void cancelRun(kind).catch(notifyError)}>
        {t("停止")}
      </Button>
    </div>
  );
}

/** The runs over all channels in progress, whichever administrator started them. */
export function RunProgress() {
  const { data } = useQuery(runsQuery);
  useRunEnds(data);
  return (data ?? []).map((run) =>
    run.running && isRunKind(run.kind) ? <Progress key={run.kind} run={run} kind={run.kind} /> : null,
  );
}
