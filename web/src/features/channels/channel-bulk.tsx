import { CHANNEL_STATUS } from "@turnpike/contract/codes";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { confirm } from "../../components/confirm.ts";
import { BusyButton } from "../../components/busy-button.tsx";
import { Button } from "../../components/ui/button.tsx";
import { useBulk } from "../../hooks/use-bulk.ts";
import { useOnce } from "../../hooks/use-once.ts";
import { notifyError, notifySuccess } from "../../lib/toast.ts";
import { deleteChannels } from "./channel-bulk-api.ts";
import { listChannels, type Row } from "./channel-rows.ts";
import { refreshChannels, testChannel, updateChannel } from "../../domain/channels/channels-api.ts";
import { isChannelOn, setChannelOn } from "../../domain/channels/switch-channel.ts";

const TagDialog = lazy(async () => ({ default: (await import("./tags/tag-dialog.tsx")).TagDialog }));

type ChannelBulkActionsProps = { readonly rows: readonly Row[]; readonly clear: () => void };
const NAMES_MAX = 12;

/** Actions on several channels at once; a tag's row represents all its channels. */
export function ChannelBulkActions({ rows, clear }: ChannelBulkActionsProps) {
  const { t } = useTranslation();
  const { busy, run } = useBulk({ refresh: refreshChannels, clear });
  const once = useOnce();
  const [tagging, setTagging] = useState(false);
  const channels = listChannels(rows);
  const remove = async (): Promise<void> => {
    const names = channels.map(({ name }) => name);
    const sure = await confirm({
      title: t("删除所选的 {{count}} 个渠道？", { count: channels.length }),
      description: `${names.slice(0, NAMES_MAX).join(", ")}${names.length > NAMES_MAX ? "…" : ""}`,
      action: t("删除"),
      danger: true,
      typed: String(channels.length),
    });
    if (!sure) return;
    await deleteChannels(channels.map(({ id }) => id)).then(
      (count) => notifySuccess(t("已删除 {{count}} 个渠道", { count })),
      notifyError,
    );
    clear();
    await refreshChannels();
  };
  const setStatus = (status: number): void =>
    void run(
      channels.filter((channel) => channel.status !== status),
      ({ id }) => updateChannel({ id, status }),
      (channel) => setChannelOn(channel.id, isChannelOn(channel)),
    );
  return (
    <>
      <BusyButton
        variant="outline"
        size="sm"
        busy={busy}
        onClick={() => void run(channels, ({ id }) => testChannel(id))}
      >
        {t("测试")}
      </BusyButton>
      <BusyButton variant="outline" size="sm" busy={busy} onClick={() => setStatus(CHANNEL_STATUS.enabled)}>
        {t("启用")}
      </BusyButton>
      <BusyButton variant="outline" size="sm" busy={busy} onClick={() => setStatus(CHANNEL_STATUS.disabled)}>
        {t("禁用")}
      </BusyButton>
      <Button variant="outline" size="sm" onClick={() => setTagging(true)}>
        {t("设置标签")}
      </Button>
      <BusyButton variant="outline" size="sm" busy={busy} className="text-destructive" onClick={() => once(remove)}>
        {t("删除")}
      </BusyButton>
      <Suspense>
        {tagging && <TagDialog channels={channels} onDone={clear} onClose={() => setTagging(false)} />}
      </Suspense>
    </>
  );
}
