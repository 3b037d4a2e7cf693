import type { ChannelKeyHealth } from "@turnpike/contract/api/channels/channel-health";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Section } from "../../../components/form/section.tsx";
import { Time } from "../../../components/time.tsx";
import { StatusBadge, type StatusTone } from "../../../components/status-badge.tsx";
import { BusyButton } from "../../../components/busy-button.tsx";
import { text } from "../../../lib/text/i18n-source.ts";
import { queryClient } from "../../../lib/api/query-client.ts";
import { notifyError, notifySuccess } from "../../../lib/toast.ts";
import { channelHealthQuery, reenableKeys } from "../channel-bulk-api.ts";
import { refreshChannels } from "../../../domain/channels/channels-api.ts";
import { ScrollArea } from "../../../components/ui/scroll-area.tsx";

const STATES: Readonly<Record<ChannelKeyHealth["state"], { label: string; tone: StatusTone }>> = {
  in_use: { label: text("使用中"), tone: "good" },
  disabled: { label: text("已停用"), tone: "bad" },
  open: { label: text("已熔断"), tone: "bad" },
  half_open: { label: text("试探中"), tone: "warn" },
};

function KeyRow({ item, number }: { readonly item: ChannelKeyHealth; readonly number: number }) {
  const { t } = useTranslation();
  const { label, tone } = STATES[item.state];
  return (
    <li className="flex flex-col gap-1 px-3 py-2 text-[13px]">
      <span className="flex items-center gap-2">
        <span className="w-6 text-muted-foreground tabular-nums">{number}</span>
        <code className="flex-1 font-mono">••••{item.key_hint}</code>
        <StatusBadge dot tone={tone}>
          {t(label)}
        </StatusBadge>
      </span>
      {item.status_time > 0 && (
        <span className="flex flex-wrap gap-x-2 pl-8 text-xs text-muted-foreground">
          <Time seconds={item.status_time} />
          <span className="min-w-0 break-words">{item.status_reason}</span>
        </span>
      )}
    </li>
  );
}

type KeyHealthListProps = { readonly channelId: number; readonly keys: readonly ChannelKeyHealth[] };

/** Each key of a channel with its state; keys that the system disabled can be enabled again. */
export function KeyHealthList({ channelId, keys }: KeyHealthListProps) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const off = keys.filter(({ state }) => state === "disabled").length;
  const revive = async (): Promise<void> => {
    setBusy(true);
    await reenableKeys(channelId).then((count) => notifySuccess(t("已恢复 {{count}} 个密钥", { count })), notifyError);
    await Promise.all([
      queryClient.invalidateQueries({ queryKey: channelHealthQuery(channelId).queryKey }),
      refreshChannels(),
    ]);
    setBusy(false);
  };
  return (
    <Section title={t("密钥（{{count}}）", { count: keys.length })}>
      <ScrollArea className="max-h-80 rounded-lg border" role="region" aria-label={t("密钥")}>
        <ul className="divide-y">
          {keys.map((item, index) => (
            // Two keys may have the same last characters.
            // oxlint-disable-next-line no-array-index-key
            <KeyRow key={index} item={item} number={index + 1} />
          ))}
        </ul>
      </ScrollArea>
      {off > 0 && (
        <BusyButton variant="outline" className="self-start" busy={busy} onClick={() => void revive()}>
          {t("恢复停用的 {{count}} 个密钥", { count: off })}
        </BusyButton>
      )}
    </Section>
  );
}
