import { useQuery } from "@tanstack/react-query";
import type { LogEntry } from "@turnpike/contract/api/log";
import { LOG_TYPE } from "@turnpike/contract/codes";
import { useTranslation } from "react-i18next";
import { StatusBadge } from "../../components/status-badge.tsx";
import { toCallId } from "../../domain/logs/call-id.ts";
import { parseLogDetails } from "../../domain/logs/log-details.ts";
import { logsQuery } from "../../domain/logs/logs-api.ts";
import { formatMilliseconds } from "../../lib/text/format.ts";
import { useIsAdmin } from "../../lib/session/session.ts";

/** More rows than a call can have. */
const ROWS_MAX = 20;

function Step({ entry }: { readonly entry: LogEntry }) {
  const { t } = useTranslation();
  const details = parseLogDetails(entry);
  const isServed = entry.type === LOG_TYPE.consume;
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1 py-1 text-[13px]">
      <span className="w-16 shrink-0 text-right text-muted-foreground tabular-nums">
        {details.use_time_ms === undefined ? "" : `+${formatMilliseconds(details.use_time_ms)}`}
      </span>
      <StatusBadge dot tone={isServed ? "good" : "bad"}>
        {isServed ? t("已返回") : (details.status_code ?? t("错误"))}
      </StatusBadge>
      {entry.channel > 0 && (
        <span>
          #{entry.channel} {entry.channel_name}
        </span>
      )}
      <span className="min-w-0 text-muted-foreground">{details.admin_info?.error ?? entry.content}</span>
    </li>
  );
}

/** The attempts of a call in their order, each with the time since its start. */
export function RequestTimeline({ entry }: { readonly entry: LogEntry }) {
  const { t } = useTranslation();
  const all = useIsAdmin();
  const { data } = useQuery(logsQuery({ page: 1, pageSize: ROWS_MAX, all }, { request_id: toCallId(entry) }));
  const steps = data?.items.toSorted((a, b) => a.id - b.id) ?? [];
  if (steps.length < 2) return null;
  return (
    <section className="flex max-w-4xl flex-col gap-1">
      <h2 className="text-xs font-medium text-muted-foreground">{t("经过")}</h2>
      <ol className="border-l pl-2">
        {steps.map((step) => (
          <Step key={step.id} entry={step} />
        ))}
      </ol>
    </section>
  );
}
