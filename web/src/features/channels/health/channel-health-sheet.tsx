import type { Channel } from "@turnpike/contract/api/channels/channel";
import type { ChannelHealthDetail } from "@turnpike/contract/api/channels/channel-health";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Section } from "../../../components/form/section.tsx";
import { LoadingSheet } from "../../../components/form/loading-sheet.tsx";
import { Time } from "../../../components/time.tsx";
import { StatusBadge } from "../../../components/status-badge.tsx";
import { Sheet, SheetContent, SheetDescription, SheetHeader, SheetTitle } from "../../../components/ui/sheet.tsx";
import { formatCount, formatMilliseconds, formatShare } from "../../../lib/text/format.ts";
import { channelHealthQuery } from "../channel-bulk-api.ts";
import { useChannelHours } from "./channel-hours-api.ts";
import { ChannelSparkline } from "./channel-sparkline.tsx";
import { getAutoDisabled, ChannelState, ResponseTime } from "../channel-state.tsx";
import { channelQuery } from "../../../domain/channels/channels-api.ts";
import { BreakerBadge } from "./health-badge.tsx";
import { KeyHealthList } from "./key-health-list.tsx";

/** The sheet with the health of the channel in the address; refreshed every few seconds. */
export function ChannelHealthSheet() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { id = "" } = useParams({ strict: false });
  const channel = useQuery(channelQuery(Number(id)));
  const health = useQuery(channelHealthQuery(Number(id)));
  const close = (): Promise<void> => navigate({ to: "/admin/channels", search: true });
  if (!channel.data || !health.data) {
    const retry = (): void => void Promise.all([channel.refetch(), health.refetch()]);
    return <LoadingSheet title={t("健康状况")} error={channel.error ?? health.error} onRetry={retry} onClose={close} />;
  }
  const { name } = channel.data;
  return (
    <Sheet open onOpenChange={(open) => !open && void close()}>
      <SheetContent
        onOpenAutoFocus={(event) => {
          // The sheet opens for reading: no field gets the focus.
          event.preventDefault();
          if (event.currentTarget instanceof HTMLElement) event.currentTarget.focus();
        }}
      >
        <SheetHeader>
          <SheetTitle>{t("“{{name}}”的健康状况", { name })}</SheetTitle>
          <SheetDescription>{t("最近 5 分钟全部中继的调用，每 5 秒更新。")}</SheetDescription>
        </SheetHeader>
        <div className="flex flex-1 flex-col gap-6 overflow-y-auto px-5 py-5">
          <Facts channel={channel.data} health={health.data} />
          <LastDay id={channel.data.id} name={name} />
          <KeyHealthList channelId={channel.data.id} keys={health.data.keys} />
          <Errors errors={health.data.errors} />
        </div>
      </SheetContent>
    </Sheet>
  );
}

/** The calls, failed attempts and latencies of the last 24 hours. */
function LastDay({ id, name }: { readonly id: number; readonly name: string }) {
  const { t } = useTranslation();
  const hours = useChannelHours([id]).get(id);
  return (
    <Section title={t("最近 24 小时")}>
      <ChannelSparkline name={name} hours={hours} scale={4} />
      <p className="text-xs text-muted-foreground">{t("柱子是每小时的调用，红色是失败的尝试，线是平均总耗时。")}</p>
    </Section>
  );
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <dt className="text-[13px] text-muted-foreground">{label}</dt>
      <dd className="min-w-0 tabular-nums">{children}</dd>
    </div>
  );
}

function Facts({ channel, health }: { readonly channel: Channel; readonly health: ChannelHealthDetail }) {
  const { t } = useTranslation();
  const why = getAutoDisabled(channel);
  return (
    <dl className="grid grid-cols-2 gap-4 sm:grid-cols-4">
      <Fact label={t("熔断器")}>
        <BreakerBadge state={health.state} />
      </Fact>
      <Fact label={t("调用次数")}>{formatCount(health.calls)}</Fact>
      <Fact label={t("错误率")}>
        <span className={health.error_rate > 0 ? "text-destructive" : undefined}>{formatShare(health.error_rate)}</span>
      </Fact>
      <Fact label={t("平均首字节时间")}>{health.latency_ms === 0 ? "—" : formatMilliseconds(health.latency_ms)}</Fact>
      <Fact label={t("状态")}>
        <ChannelState channel={channel} />
      </Fact>
      <Fact label={t("上次测试")}>
        <ResponseTime ms={channel.response_time} testedAt={channel.test_time} error={channel.test_error} />
      </Fact>
      <Fact label={t("上游余额")}>
        {channel.balance_updated_time === 0 ? t("未查询") : formatCount(channel.balance)}
      </Fact>
      {channel.balance_updated_time > 0 && (
        <Fact label={t("余额更新于")}>
          <Time seconds={channel.balance_updated_time} />
        </Fact>
      )}
      {channel.test_error !== "" && (
        <div className="col-span-full">
          <Fact label={t("上次测试失败的原因")}>
            <span className="break-words text-destructive">{channel.test_error}</span>
          </Fact>
        </div>
      )}
      {why && why.reason !== "" && (
        <div className="col-span-full">
          <Fact label={t("自动禁用的原因")}>
            <span className="break-words text-destructive">{why.reason}</span>
          </Fact>
        </div>
      )}
    </dl>
  );
}

function Errors({ errors }: { readonly errors: ChannelHealthDetail["errors"] }) {
  const { t } = useTranslation();
  return (
    <Section title={t("最近的错误")}>
      {errors.length === 0 && <p className="text-[13px] text-muted-foreground">{t("最近 5 分钟没有错误。")}</p>}
      <ul className="flex flex-col gap-2">
        {errors.map(({ message, status, at }, index) => (
          // The same error may occur twice in a second.
          // oxlint-disable-next-line no-array-index-key
          <li key={index} className="flex flex-col gap-1 rounded-lg border px-3 py-2 text-[13px]">
            <span className="flex items-center justify-between gap-2 text-muted-foreground">
              <StatusBadge tone="bad" className="tabular-nums">
                {status}
              </StatusBadge>
              <Time seconds={at} />
            </span>
            <span className="font-mono text-xs break-words">{message}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}
