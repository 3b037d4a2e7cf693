import type { LogDetails, LogEntry } from "@turnpike/contract/api/log";
import { useTranslation } from "react-i18next";
import { StatusBadge, type StatusTone } from "../../components/status-badge.tsx";
import { formatMilliseconds } from "../../lib/text/format.ts";

const SECOND_MS = 1000;

const tone = (seconds: number, good: number, fair: number): StatusTone =>
  seconds < good ? "good" : seconds < fair ? "warn" : "bad";

/** The time of the whole call and of its first token, in the colour bands that operators know. */
export function LatencyBadges({ entry, details }: { readonly entry: LogEntry; readonly details: LogDetails }) {
  const { t } = useTranslation();
  const first = details.frt !== undefined && details.frt > 0 && entry.is_stream ? details.frt : undefined;
  return (
    <span className="inline-flex gap-1">
      <StatusBadge tone={tone(entry.use_time, 101, 300)} className="tabular-nums" title={t("总用时")}>
        {entry.use_time === 0 ? "<1" : entry.use_time} s
      </StatusBadge>
      {first !== undefined && (
        <StatusBadge tone={tone(first / SECOND_MS, 3, 10)} className="tabular-nums" title={t("首字用时")}>
          {formatMilliseconds(first)}
        </StatusBadge>
      )}
    </span>
  );
}

/** First token and total time as one bar. */
export function TimingBar({ entry, details }: { readonly entry: LogEntry; readonly details: LogDetails }) {
  const { t } = useTranslation();
  const first = Math.max(0, details.frt ?? 0);
  // The log has whole seconds: the total is never less than the first token's time.
  const total = Math.max(details.use_time_ms ?? entry.use_time * SECOND_MS, first);
  if (total === 0) return null;
  return (
    <section className="flex max-w-2xl flex-col gap-1">
      <h2 className="text-xs font-medium text-muted-foreground">{t("用时")}</h2>
      <div className="flex h-2 overflow-hidden rounded-full bg-muted" aria-hidden>
        <div className="bg-(--chart-1)" style={{ width: `${(first / total) * 100}%` }} />
        <div className="flex-1 bg-(--chart-2)" />
      </div>
      <p className="text-[13px] tabular-nums">
        {first > 0 && <span className="mr-3">{t("首字 {{time}}", { time: formatMilliseconds(first) })}</span>}
        {details.use_time_ms !== undefined && t("共 {{time}}", { time: formatMilliseconds(total) })}
        {details.use_time_ms === undefined &&
          (entry.use_time === 0 ? t("不到 1 秒") : t("共约 {{seconds}} 秒", { seconds: entry.use_time }))}
      </p>
    </section>
  );
}
