import type { Channel } from "@turnpike/contract/api/channels/channel";
import type { ChannelHealth } from "@turnpike/contract/api/channels/channel-health";
import { Link } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { StatusBadge, type StatusTone } from "../../../components/status-badge.tsx";
import { Hint } from "../../../components/hint.tsx";
import { formatMilliseconds, formatShare } from "../../../lib/text/format.ts";
import { text } from "../../../lib/text/i18n-source.ts";

const STATES: Readonly<Record<ChannelHealth["state"], { label: string; tone: StatusTone }>> = {
  idle: { label: text("空闲"), tone: "neutral" },
  closed: { label: text("正常"), tone: "good" },
  partial: { label: text("部分熔断"), tone: "warn" },
  half_open: { label: text("试探中"), tone: "warn" },
  open: { label: text("已熔断"), tone: "bad" },
};

/** The state of a channel's circuit breaker as a badge. */
export function BreakerBadge({ state }: { readonly state: ChannelHealth["state"] }) {
  const { t } = useTranslation();
  const { label, tone } = STATES[state];
  return (
    <StatusBadge dot tone={tone}>
      {t(label)}
    </StatusBadge>
  );
}

/** The result of a channel's recent calls, linked to its health sheet. */
export function HealthLink({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation();
  const { health } = channel;
  if (!health) return null;
  const figures = [
    t("{{count}} 次调用", { count: health.calls }),
    health.latency_ms > 0 ? formatMilliseconds(health.latency_ms) : "",
    health.last_error,
  ];
  return (
    <Hint text={health.calls === 0 && health.last_error === "" ? "" : figures.filter(Boolean).join("\n")}>
      <Link
        to="/admin/channels/$id/health"
        params={{ id: String(channel.id) }}
        search={true}
        className="inline-flex items-center gap-1.5 rounded-md hover:underline"
      >
        <span className="sr-only">{t("{{name}} 的健康状况", { name: channel.name })}</span>
        <BreakerBadge state={health.state} />
        {health.error_rate > 0 && (
          <span className="text-xs text-destructive tabular-nums">
            {t("{{share}} 出错", { share: formatShare(health.error_rate) })}
          </span>
        )}
      </Link>
    </Hint>
  );
}
