import type { Channel } from "@turnpike/contract/api/channels/channel";
import type { Margin } from "@turnpike/contract/api/prices/margin";
import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { MoneySum } from "../../components/money.tsx";
import { StatusBadge } from "../../components/status-badge.tsx";
import { useNowSeconds } from "../../hooks/use-now.ts";
import { marginsQuery } from "./margin-api.ts";
import { failingChannelsQuery, unpricedModelsQuery } from "../../domain/channels/channels-api.ts";

const SHOWN_MAX = 5;
const HOUR_SECONDS = 3_600;
const DAY_SECONDS = 86_400;

function Alert({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className="flex flex-col gap-2 rounded-lg border border-warn/40 bg-warn-soft/40 px-4 py-3">
      <h2 className="flex items-center gap-2 text-[13px] font-semibold">
        <TriangleAlert className="size-4 text-warn" aria-hidden />
        {title}
      </h2>
      {children}
    </section>
  );
}

function FailingChannel({ channel }: { readonly channel: Channel }) {
  const { t } = useTranslation();
  const { health } = channel;
  const isOff = channel.status === CHANNEL_STATUS.autoDisabled;
  const label = isOff ? t("自动禁用") : health?.state === "open" ? t("已熔断") : t("出错");
  return (
    <li className="flex min-w-0 items-center gap-2 text-[13px]">
      <StatusBadge dot tone="bad" className="shrink-0">
        {label}
      </StatusBadge>
      <Link
        to="/admin/channels/$id/health"
        params={{ id: String(channel.id) }}
        className="shrink-0 underline-offset-4 hover:underline"
      >
        #{channel.id} {channel.name}
      </Link>
      <span className="truncate text-muted-foreground">{health?.last_error || channel.test_error}</span>
    </li>
  );
}

function FailingChannels({ channels }: { readonly channels: readonly Channel[] }) {
  const { t } = useTranslation();
  return (
    <Alert title={t("{{count}} 个渠道需要处理", { count: channels.length })}>
      <ul className="flex flex-col gap-1.5">
        {channels.slice(0, SHOWN_MAX).map((channel) => (
          <FailingChannel key={channel.id} channel={channel} />
        ))}
      </ul>
    </Alert>
  );
}

function UnpricedModels({ models }: { readonly models: readonly string[] }) {
  const { t } = useTranslation();
  return (
    <Alert title={t("{{count}} 个模型没有价格，调用方看不到", { count: models.length })}>
      <p className="flex min-w-0 items-center gap-2 text-[13px]">
        <span className="truncate font-mono text-xs text-muted-foreground">{models.join(", ")}</span>
        <Link to="/admin/settings" hash="prices" className="ml-auto shrink-0 text-accent-text hover:underline">
          {t("设置价格")}
        </Link>
      </p>
    </Alert>
  );
}

/** Models and channels that were sold below what upstreams charge, today and yesterday. */
function useBelowCost(): readonly { readonly name: string; readonly margin: Margin }[] {
  const now = useNowSeconds();
  const endSeconds = now - (now % HOUR_SECONDS) + HOUR_SECONDS;
  const span = { startSeconds: endSeconds - DAY_SECONDS, endSeconds };
  const models = useQuery(marginsQuery("model", span)).data?.rows ?? [];
  const channels = useQuery(marginsQuery("channel", span)).data?.rows ?? [];
  const named = [
    ...models.map((margin) => ({ name: margin.key, margin })),
    ...channels.map((margin) => ({ name: `#${margin.key} ${margin.name}`, margin })),
  ];
  return named.filter(({ margin }) => margin.margin < 0);
}

function BelowCost({ rows }: { readonly rows: ReturnType<typeof useBelowCost> }) {
  const { t } = useTranslation();
  return (
    <Alert title={t("{{count}} 个模型或渠道的售价低于成本", { count: rows.length })}>
      <ul className="flex flex-col gap-1.5">
        {rows.slice(0, SHOWN_MAX).map(({ name, margin }) => (
          <li key={name} className="flex min-w-0 items-center gap-2 text-[13px]">
            <span className="truncate font-mono text-xs">{name}</span>
            <span className="ml-auto shrink-0 text-destructive">
              <MoneySum quota={margin.margin} />
            </span>
          </li>
        ))}
      </ul>
    </Alert>
  );
}

/** What needs an administrator now: failing channels, models that cannot be called because they have no price, and what is sold below cost. */
export function SiteAlerts() {
  const failing = useQuery(failingChannelsQuery).data ?? [];
  const unpriced = useQuery(unpricedModelsQuery).data ?? [];
  const belowCost = useBelowCost();
  if (failing.length + unpriced.length + belowCost.length === 0) return null;
  return (
    <div className="grid gap-3 lg:grid-flow-col lg:auto-cols-fr">
      {failing.length > 0 && <FailingChannels channels={failing} />}
      {unpriced.length > 0 && <UnpricedModels models={unpriced} />}
      {belowCost.length > 0 && <BelowCost rows={belowCost} />}
    </div>
  );
}
